import Foundation
import ModuleKit

/// The layers, names and apps of a tree of module pairs, from the file `.modules.yml` at its root.
///
/// Each key defaults to this repository's value. Without the file, a tree has no layers and no pairs.
package struct Configuration: Sendable, Hashable {
    package static let path = ".modules.yml"

    /// The suffix of an Api's name: `RideApi` is the Api of `Ride`.
    package var apiSuffix = "Api"
    /// The suffix of a module type's name: `RideModule` registers `Ride`.
    package var moduleSuffix = "Module"
    /// The layers, from bottom to top.
    package var layers = Layer.house
    /// What no layer may use, except layers that list it under `allow`.
    package var deny = Denial.house
    /// The modules that Apis may import besides Foundation.
    package var apiImports: [ApiImport] = []
    /// The names of test-support modules, and suffixes of such names.
    package var testSupport = ["TestSupport", "Testing", "XCTest"]
    package var apps = [App()]
    /// The origins of the packages that new modules need.
    package var uses: [String: Source] = [
        "ApiCenter": .path("Packages/Core/ApiCenter"), "Lifecycle": .path("Packages/Base/Lifecycle"),
    ]
    package var newPackages = NewPackages()
    /// The folders that the tool ignores, relative to the root.
    package var exclude: [String] = []
    /// What targets read besides their own files.
    package var reads: [Reads] = []
    /// The tag or commit that ends the history which the rules about versions ignore; nil if they read all history.
    package var releasesAfter: String?
    /// The patterns of the tags that release versions: `{version}` stands for a semantic version, `{name}` for the package
    /// that the tag releases, and `*` for any text.
    package var releaseTags = ["{version}", "v{version}", "{name}-{version}"]

    package var versions = Versions.table
    /// The rules that the team has turned off or into warnings.
    package var rules: [RuleSetting] = []

    package init() {}

    /// A module that Apis may import: a framework of the system, or a module of a library in a layer below the Apis.
    package struct ApiImport: Sendable, Hashable {
        package let module: String
        /// The place in `.modules.yml`.
        package let place: SourcePlace

        package init(_ module: String, at place: SourcePlace) { (self.module, self.place) = (module, place) }
    }

    /// Whether the packages of a tree have versions.
    package enum Versions: String, Sendable, CaseIterable {
        /// VERSIONS.md lists the versions, and each package has change notes.
        case table
        /// The app of the tree ships as one.
        case none
    }

    /// A rule that is off, or only warns.
    package struct RuleSetting: Sendable, Hashable {
        package enum Severity: String, Sendable, CaseIterable { case off, warning }

        /// The identifier of the rule.
        package let rule: String
        package let severity: Severity
        /// Why the team has decided so.
        package let reason: String
        /// The place in `.modules.yml`.
        package let place: SourcePlace

        package init(_ rule: String, _ severity: Severity, reason: String, at place: SourcePlace) {
            (self.rule, self.severity, self.reason, self.place) = (rule, severity, reason, place)
        }
    }

    /// An app that registers pairs.
    package struct App: Sendable, Hashable {
        /// The manifest with the list of pairs, `let pairs = [...]`.
        package var manifest: String
        /// The file that `modules registrations` writes.
        package var registrations: String
        /// The folder to which the paths of the pairs are relative; "" for the root.
        package var packages: String
        package var trait: Trait
        /// The folder with the sources of an Xcode project's app, which links the manifest's package; nil for an app
        /// that is a target of the package.
        package var sources: String?

        package init(
            manifest: String = "Package.swift",
            registrations: String = "Apps/Shell/Sources/AppModules/Registrations.swift",
            packages: String = "Packages", trait: Trait = .pair
        ) {
            (self.manifest, self.registrations, self.packages) = (manifest, registrations, packages)
            self.trait = trait
        }

        /// The trait of a new pair: its own, or one that it shares with the other pairs of its layer or folder. SwiftPM
        /// accepts at most 300 traits in a package.
        package enum Trait: String, Sendable, CaseIterable { case pair, layer, folder }

        /// The folder of the package, relative to the root.
        package var folder: String { PathText.split(manifest).folder }
    }

    /// Where a package comes from.
    package enum Source: Sendable, Hashable {
        /// A folder, relative to the root.
        case path(String)
        case url(String, from: String)
    }

    /// What some targets read besides the files of their package and of the targets that they link.
    package struct Reads: Sendable, Hashable {
        package var targets: [String] = []
        /// Files and folders, relative to the root; "" for the whole tree.
        package var files: [String] = []
        /// The names of environment variables.
        package var environment: [String] = []
        /// The names of programs in `PATH`.
        package var programs: [String] = []
        /// Whether tests of the targets may be skipped, because these inputs decide which ones are.
        package var maySkip = false
    }

    /// The tools version and the platforms in the manifests of new packages, and the folder of copies.
    package struct NewPackages: Sendable, Hashable {
        package var toolsVersion = "6.3"
        /// The minimum versions, by the name that manifests use: `macOS`.
        package var platforms = ["macOS": "15", "iOS": "18", "tvOS": "18", "watchOS": "11", "visionOS": "2"]
        /// The folder for copies of packages; nil for the folders in which the tool's repository has them.
        package var copies: String?
    }

    /// What the packages of a layer must not use.
    package func denials(in layer: Layer) -> [Denial] {
        deny.filter { denial in
            !layer.allow.contains(denial.use) && !layer.deny.contains { $0.use == denial.use }
        } + layer.deny
    }

    package func isTestSupport(_ module: String) -> Bool { testSupport.contains(where: module.hasSuffix) }

    /// The name of a pair's Api.
    package func api(_ pair: String) -> String { pair + apiSuffix }

    /// The name of an IMP's module type.
    package func moduleType(_ imp: String) -> String { imp + moduleSuffix }
}

extension Layer {
    /// The layers of this repository.
    fileprivate static let house = [
        Layer("Core", folders: ["Packages/Core"]), Layer("Base", folders: ["Packages/Base"]),
        Layer("Api", pairs: .apis),
        Layer("Common", folders: ["Packages/Common"], pairs: .optional),
        Layer("Business", folders: ["Packages/Business"], pairs: .required),
        Layer("Adapters", folders: ["Packages/Adapters"], allow: [Denial.thirdParty]),
        Layer("Apps", folders: ["Apps"], isApps: true, allow: [Denial.testSupport]),
    ].ranked
}

extension Denial {
    /// What no layer of this repository may use.
    fileprivate static let house = [
        Denial(thirdParty, reason: "Apps use the toolchain alone, so they build without a download."),
        Denial("Adapters", reason: "Adapters bring third-party packages, so an app has to opt in."),
        Denial(testSupport, reason: "Code for tests does not belong in the modules of an app."),
    ]
}

extension [Layer] {
    /// The layers, with their positions as ranks.
    var ranked: [Layer] {
        enumerated().map { rank, layer in
            var layer = layer
            layer.rank = rank
            return layer
        }
    }
}
