import ModuleKit

/// The parts of a `Package.swift` that decide how SwiftPM builds the package. No rule needs them, so they are read only
/// for a command that copies targets into another manifest.
package struct BuildManifest: Sendable, Equatable {
    /// The tools version, such as `[6, 3]`.
    package var toolsVersion: [Int] = []
    package var defaultLocalization: String?
    /// The minimum versions by platform, in the spelling of PackageDescription: `macOS`.
    package var platforms: [String: [Int]] = [:]
    /// The names of the language standards in PackageDescription, such as `c11` and `cxx20`.
    package var cStandard: String?, cxxStandard: String?
    /// The declared Swift language modes, such as `5`; nil if the tools version decides.
    package var languageModes: [String]?
    /// The traits that each trait enables; `default` enables the default traits.
    package var traits: [String: Set<String>] = [:]
    /// The selected traits of a dependency, by its identity. Without a selection, its default traits are enabled.
    package var selections: [String: [Selection]] = [:]
    /// The remote packages, by identity.
    package var remotes: [String: Remote] = [:]
    package var targets: [String: Target] = [:]
    /// A part of the manifest that no other manifest can contain, because this tool does not know its meaning.
    package var unknown: String?

    package init() {}

    /// A trait of a dependency, and the traits of this package any one of which selects it; empty if it is always
    /// selected.
    package struct Selection: Sendable, Equatable {
        package let name: String
        package let traits: Set<String>

        package init(name: String, traits: Set<String> = []) { (self.name, self.traits) = (name, traits) }
    }

    package struct Remote: Sendable, Equatable {
        /// The URL of a repository, or the identifier in a registry.
        package let address: String
        package let isInRegistry: Bool
        package let requirement: Requirement
    }

    /// The versions of a remote package that a manifest accepts.
    package enum Requirement: Sendable, Equatable {
        /// From the first version up to, but not including, the second.
        case range(String, String)
        case exact(String)
        /// `branch` or `revision`, and its value.
        case reference(String, String)

        /// The versions, if they are not all those from a floor on: `exact: "1.0.0"`.
        var pin: String? {
            switch self {
            case .range(let lower, let upper): Manifest.pin(from: lower, to: upper)
            case .exact(let version): "exact: \"\(version)\""
            case .reference(let kind, let value): "\(kind): \"\(value)\""
            }
        }
    }

    package struct Target: Sendable, Equatable {
        package var exclude: [String] = []
        package var resources: [Resource] = []
        package var publicHeadersPath: String?
        package var packageAccess = true
        /// In the manifest's order.
        package var settings: [Setting] = []

        package init() {}
    }

    package struct Resource: Sendable, Equatable {
        /// `copy`, `process` or `embedInCode`.
        package let rule: String
        package let path: String
        /// `base` or `default`.
        package var localization: String?
    }

    /// A setting of a compiler or the linker, with the condition under which it applies.
    package struct Setting: Sendable, Equatable {
        package enum Tool: String, Sendable, CaseIterable {
            case c = "cSettings"
            case cxx = "cxxSettings"
            case swift = "swiftSettings"
            case linker = "linkerSettings"
        }

        package let tool: Tool
        /// The name of the function in PackageDescription, such as `define`.
        package let name: String
        /// The arguments as Swift code, without the condition: `"A"`, `to: "1"`.
        package var arguments: [String] = []
        /// In the spelling of PackageDescription; empty for all.
        package var platforms: [String] = []
        /// `debug` or `release`; nil for both.
        package var configuration: String?
        /// The traits any one of which enables the setting; empty if none is needed.
        package var traits: Set<String> = []

        package init(
            _ tool: Tool, _ name: String, _ arguments: [String] = [], platforms: [String] = [],
            configuration: String? = nil, traits: Set<String> = []
        ) {
            (self.tool, self.name, self.arguments) = (tool, name, arguments)
            (self.platforms, self.configuration, self.traits) = (platforms, configuration, traits)
        }
    }

    /// The Swift language mode of targets that do not set their own. Of several declared modes, SwiftPM takes the newest.
    package var languageMode: String {
        languageModes?.max { Manifest.numbers($0).lexicographicallyPrecedes(Manifest.numbers($1)) }
            ?? (toolsVersion.first.map { $0 < 6 } == true ? "5" : "6")
    }

    /// The code of a Swift language mode: `.v5`.
    package static func code(ofLanguageMode mode: String) -> String {
        ["4", "4.2", "5", "6"].contains(mode)
            ? ".v" + mode.replacing(".", with: "_") : ".version(\"\(mode)\")"
    }

    /// The name of a platform in PackageDescription, given in any case. Platforms with an unknown name are custom ones.
    package static func platform(_ name: String) -> String? {
        PlatformName.all.first { $0.lowercased() == name.lowercased() }
    }
}
