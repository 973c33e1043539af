import ModuleKit

/// The parts of a `Package.swift` that the rules need.
package struct Manifest: Sendable, Hashable, Codable {
    package var name: String
    package var dependencies: [Dependency] = []
    package var products: [Product] = []
    package var targets: [Target] = []

    /// The traits of the package, except `default`.
    package var traits: Set<String> = []
    package var defaultTraits: Set<String> = []

    package init(name: String) { self.name = name }

    package struct Dependency: Sendable, Hashable, Codable {
        /// The last component of the path or URL.
        package let name: String
        /// The name in lower case, which is the identity that SwiftPM uses.
        package var identity: String { name.lowercased() }

        /// The name that targets may use instead of the identity: `name` in `.package(name:path:)`.
        package let alias: String?

        /// The path of a local package, relative to the manifest or absolute; nil for a remote package.
        package let path: String?

        /// The versions that a remote package may have, if they are not all those from a floor on: `exact: "1.0.0"`.
        /// `from:` and ranges that end at a major version are floors.
        package let pin: String?
        package let position: Position

        /// Whether the manifest selects traits of the package, which also affects the other users of the package.
        package var hasTraits = false
    }

    package struct Product: Sendable, Hashable, Codable {
        package let name: String
        package let targets: [String]
        /// Whether every package that uses the product links it as a dynamic library.
        package let isDynamic: Bool
    }

    package enum TargetKind: String, Sendable, Hashable, Codable {
        case regular, executable, test, plugin, macro, system, binary, providedLibrary
    }

    package struct Target: Sendable, Hashable, Codable {
        package let name: String
        package let kind: TargetKind
        /// The folder, relative to the package; nil for the default folder.
        package let path: String?
        package let exclude: [String]
        /// The compiled files and folders, relative to the folder of the target; nil for all.
        package let sources: [String]?
        package var dependencies: [TargetDependency]
        package let position: Position

        /// Whether a compiler flag gives modules other names (`-module-alias`) or imports a module (`-import-module`).
        package var renamesModules = false
    }

    /// A dependency of a target on another target or on a product.
    package struct TargetDependency: Sendable, Hashable, Codable {
        package let name: String

        /// The package of the product; nil if the manifest does not name it.
        package let package: String?

        /// The traits that enable the dependency, any one of which is enough; empty for an unconditional
        /// dependency.
        package let traits: Set<String>

        /// The platforms with the dependency, as manifests name them in lower case: `linux`; empty for all platforms.
        package var platforms: Set<String> = []

        /// The position of the name; nil if the manifest computes the name.
        package let position: Position?

        /// Whether the target uses a build tool plugin, which no file imports.
        package var isPlugin = false

        /// Whether the manifest gives the product's modules other names with `moduleAliases`.
        package var renamesModules = false

        /// Whether a module can have the name.
        package var isModule: Bool { ModuleIdentifier.of(name) == name }
    }
}

extension Manifest {
    /// The target that stands for the sources of an Xcode project's app. It depends on all libraries of the package.
    func app(in folder: String, exclude: [String]) -> Target {
        let libraries = targets.filter { $0.kind == .regular }
        return Target(
            name: PathText.split(folder).name, kind: .executable, path: nil, exclude: exclude, sources: nil,
            dependencies: libraries.map {
                TargetDependency(name: $0.name, package: nil, traits: [], position: nil)
            },
            position: libraries.first?.position ?? Position())
    }

    /// The pin of a range from `lower` up to but not including `upper`; nil if the range is a floor.
    static func pin(from lower: String, to upper: String) -> String? {
        let (low, high) = (numbers(lower), numbers(upper))
        if high.dropFirst() == [0, 0], low.count == 3, high[0] > low[0] { return nil }
        let isMinor = low.count == 3 && high == [low[0], low[1] + 1, 0]
        return isMinor ? ".upToNextMinor(from: \"\(lower)\")" : "\"\(lower)\"..<\"\(upper)\""
    }

    static func numbers(_ version: String) -> [Int] {
        version.prefix { $0 != "-" && $0 != "+" }.split(separator: ".").compactMap { Int($0) }
    }
}
