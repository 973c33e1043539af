/// What a `Package.swift` declares, as far as the rules ask.
public struct Manifest: Sendable, Hashable {
    public var name: String
    public var dependencies: [Dependency] = []
    public var products: [Product] = []
    public var targets: [Target] = []

    /// The package's traits without `default`.
    public var traits: Set<String> = []
    public var defaultTraits: Set<String> = []

    public init(name: String) { self.name = name }

    /// Another package.
    public struct Dependency: Sendable, Hashable {
        /// The last part of its path or address in lower case, as SwiftPM tells packages apart.
        public let identity: String

        /// The path of a local package, as written or absolute; nil for one that is fetched.
        public let path: String?

        /// Which versions are accepted; nil for a local package.
        public let requirement: Requirement?
        public let position: Position
    }

    /// Which versions of a fetched package are accepted.
    public enum Requirement: Sendable, Hashable {
        /// From `lower`, up to but not including `upper`.
        case range(lower: String, upper: String)
        case exact(String)
        case branch(String)
        case revision(String)
    }

    public struct Product: Sendable, Hashable {
        public let name: String
        public let targets: [String]
    }

    public enum TargetKind: String, Sendable, Hashable {
        case regular, executable, test, plugin, macro, system, binary, providedLibrary
    }

    public struct Target: Sendable, Hashable {
        public let name: String
        public let kind: TargetKind
        /// The folder, relative to the package; nil for the usual one.
        public let path: String?
        public let exclude: [String]
        /// Files and folders, relative to the target's folder; nil for all.
        public let sources: [String]?
        public let dependencies: [TargetDependency]
        public let position: Position
    }

    /// What a target may import.
    public struct TargetDependency: Sendable, Hashable {
        /// A target or product.
        public let name: String

        /// The package of a product, when it is named.
        public let package: String?

        /// The traits, one of which must be on; empty for always.
        public let traits: Set<String>

        /// Where its name stands; nil when the manifest computes it.
        public let position: Position?
    }
}

extension Manifest.Requirement {
    /// Why it is no floor, or nil for one: `from:` and open ranges are floors.
    public var pin: String? {
        switch self {
        case .exact(let version): return "exact: \"\(version)\""
        case .branch(let name): return "branch: \"\(name)\""
        case .revision(let id): return "revision: \"\(id)\""
        case .range(let lower, let upper):
            let (low, high) = (Self.numbers(lower), Self.numbers(upper))
            guard low.count == 3, high.count == 3 else { return "\(lower)..<\(upper)" }
            if high[1] == 0, high[2] == 0, high[0] > low[0] { return nil }
            if high[0] == low[0], high[1] == low[1] + 1, high[2] == 0 {
                return ".upToNextMinor(from: \"\(lower)\")"
            }
            return "\"\(lower)\"..<\"\(upper)\""
        }
    }

    private static func numbers(_ version: String) -> [Int] {
        version.prefix { $0 != "-" && $0 != "+" }.split(separator: ".").compactMap { Int($0) }
    }
}
