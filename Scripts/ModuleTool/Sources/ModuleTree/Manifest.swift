/// What a `Package.swift` declares, as far as the rules ask.
package struct Manifest: Sendable, Hashable {
    package var name: String
    package var dependencies: [Dependency] = []
    package var products: [Product] = []
    package var targets: [Target] = []

    /// The package's traits without `default`.
    package var traits: Set<String> = []
    package var defaultTraits: Set<String> = []

    package init(name: String) { self.name = name }

    /// Another package.
    package struct Dependency: Sendable, Hashable {
        /// The last part of its path or address in lower case, as SwiftPM tells packages apart.
        package let identity: String

        /// The path of a local package, as written or absolute; nil for one that is fetched.
        package let path: String?

        /// Which versions are accepted; nil for a local package.
        package let requirement: Requirement?
        package let position: Position
    }

    /// Which versions of a fetched package are accepted.
    package enum Requirement: Sendable, Hashable {
        /// From `lower`, up to but not including `upper`.
        case range(lower: String, upper: String)
        case exact(String)
        case branch(String)
        case revision(String)
    }

    package struct Product: Sendable, Hashable {
        package let name: String
        package let targets: [String]
    }

    package enum TargetKind: String, Sendable, Hashable {
        case regular, executable, test, plugin, macro, system, binary, providedLibrary
    }

    package struct Target: Sendable, Hashable {
        package let name: String
        package let kind: TargetKind
        /// The folder, relative to the package; nil for the usual one.
        package let path: String?
        package let exclude: [String]
        /// Files and folders, relative to the target's folder; nil for all.
        package let sources: [String]?
        package let dependencies: [TargetDependency]
        package let position: Position
    }

    /// What a target may import.
    package struct TargetDependency: Sendable, Hashable {
        /// A target or product.
        package let name: String

        /// The package of a product, when it is named.
        package let package: String?

        /// The traits, one of which must be on; empty for always.
        package let traits: Set<String>

        /// Where its name stands; nil when the manifest computes it.
        package let position: Position?
    }
}

extension Manifest.Requirement {
    /// Why it is no floor, or nil for one: `from:` and open ranges are floors.
    package var pin: String? {
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
