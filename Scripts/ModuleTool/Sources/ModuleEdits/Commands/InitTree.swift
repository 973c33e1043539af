import Foundation
import ModuleTree
import ModuleVersions

/// Sets up a repository for module pairs: `modules init`. An empty folder becomes a repository with an app and a
/// pair. A repository with an app gets a configuration, and a package that links the pairs into the app.
package struct InitTree: Edit {
    let app: String?
    let starter: StarterPackages
    let checksBuilds: Bool

    private static let pair = "Greeting"
    /// The launcher script, as templates and messages name it.
    private static let script = "Scripts/modules"

    /// - Parameters:
    ///   - app: The name of the app; nil for the only app of the repository.
    ///   - starter: The packages that the tree starts with.
    ///   - checksBuilds: Whether each build of the app checks the rules.
    package init(app: String?, starter: StarterPackages, checksBuilds: Bool) {
        (self.app, self.starter, self.checksBuilds) = (app, starter, checksBuilds)
    }

    package var command: String { "init" }

    /// Plans the edit, so that a refusal leaves the folder unchanged.
    package func validate(_ root: HouseRoot) throws {
        _ = try plan(root)
    }

    package func plan(_ root: HouseRoot) throws -> EditPlan {
        let settings = root.exists(Configuration.path) ? try root.text(Configuration.path) : nil
        // A file that contains only layers is the answer to the question about their order.
        let isOrder =
            settings?.split(separator: "\n").allSatisfy { $0.prefixMatch(of: /[ #]|layers:/) != nil } ?? true
        guard isOrder, settings == nil || !root.exists(VersionsFile.path) else {
            return EditPlan("\(root.url.path) is already set up: it has \(Configuration.path).")
        }
        return try StartingPlace.isNew(root.url)
            ? new(root) : adopted(root, settings == nil ? nil : root.configuration.layers)
    }

    private func refuseExisting(_ files: [String: String], _ root: HouseRoot) throws(Diagnostic) {
        guard let path = files.keys.sorted().map(root.spelled).first(where: root.exists) else { return }
        throw Diagnostic(
            .configuration, at: root.url.appending(path: path).path, "this file already exists.",
            why: "init does not replace files.", fix: "Move it away, and run init again.")
    }

    // MARK: An empty folder

    private func new(_ root: HouseRoot) throws -> EditPlan {
        guard let app else {
            throw Diagnostic(
                .configuration, "the app has no name.", why: "The new repository contains an app.",
                fix: "Run: modules init --app Acme")
        }
        try ModuleName.validate(app)
        let taken = ["ApiCenter", "AppModules", Self.pair, "Lifecycle", "TestSupport"]
        guard !taken.contains(where: { $0.lowercased() == app.lowercased() }) else {
            throw Diagnostic(
                .configuration, "'\(app)' cannot be the app's name.", why: "Another module has this name.",
                fix: "Choose a name other than \(taken.joined(separator: ", ")).")
        }
        let sources = "Apps/\(app)/Sources"
        var configuration = Configuration()
        configuration.apps = [.init(registrations: "\(sources)/AppModules/Registrations.swift")]
        var packages = try starter.packages(in: "Packages/Base", checksBuilds: checksBuilds)
        let plugin = packages.uses.removeValue(forKey: StarterPackages.plugin)
        configuration.uses = packages.uses
        let target = """
            ,
                    .executableTarget(
                        name: "\(app)", dependencies: ["AppModules"] + shared + apis, path: "\(sources)/\(app)"),
            """
        var list = try list(
            configuration,
            [
                "Name": app, "Products": ".executable(name: \"\(app)\", targets: [\"\(app)\"]), ",
                "TestList": Self.text(PackageResources.RootTests_template), "Tests": " + tests",
                "App": target,
                "Registrations": "\(sources)/AppModules",
            ], plugin)
        let (folder, first) = ("Packages/Business/\(Self.pair)", ModuleTemplates.version)
        try list.add(folder: folder)
        let templates = ModuleTemplates(
            name: Self.pair, folder: folder, configuration: configuration, settings: "")
        let versions = VersionsFile(Self.text(PackageResources.Versions_template))
            .with(.init(module: Self.pair, api: .own(first), imp: first, floor: first))
        var files = packages.files.merging(templates.pair(calling: [])) { first, _ in first }
        files.merge(try shared(root, configuration, list, versions.text)) { first, _ in first }
        files["\(sources)/\(app)/main.swift"] = ModuleTemplates.filled(
            PackageResources.App_template, ["Api": configuration.api(Self.pair)])
        let names = try? FileManager.default.contentsOfDirectory(atPath: root.url.path)
        if names?.contains(where: { $0.lowercased().hasPrefix("readme") }) != true {
            let hint =
                "\n  Run it once on each machine before the first build: it builds the tool that each build starts."
            files["README.md"] = ModuleTemplates.filled(
                PackageResources.Readme_template, ["Name": app, "BeforeBuilds": checksBuilds ? hint : ""])
        }
        files[".github/workflows/ci.yml"] = Self.text(PackageResources.Workflow_template)
        try refuseExisting(files, root)
        let ignored = root.exists(".gitignore") ? try root.text(".gitignore") : ""
        let lines = [".build/", ".swiftpm/", ".DS_Store", "xcuserdata/", "DerivedData/"].filter {
            !ignored.split(separator: "\n").contains(Substring($0))
        }
        files[".gitignore"] = ignored + lines.map { $0 + "\n" }.joined()
        return try plan(
            "Created the app \(app) and the module \(Self.pair).", files, root,
            next: [
                "Run the app: swift run \(app)",
                "Run the tests that have not passed yet: Scripts/modules test",
                "Commit everything, because the rules about versions read git's history.",
                "Add a module: Scripts/modules new-module Wallet --calls \(Self.pair)",
            ] + steps)
    }

    // MARK: A repository with an app

    /// - Parameter ordered: The layers in `.modules.yml`; nil if the repository has no such file.
    private func adopted(_ root: HouseRoot, _ ordered: [Layer]?) throws -> EditPlan {
        let found = try FoundTree(root, needsBase: starter.isCopying, ordered: ordered)
        let umbrella = found.umbrella
        var configuration = Configuration()
        configuration.layers = found.libraries
        guard ordered != nil || found.libraries.count < 2 else {
            throw Diagnostic(
                .configuration, at: root.url.appending(path: Configuration.path).path,
                "this file has to list the layers of the packages.",
                why:
                    "A package may depend on its own layer and on the layers before it. init knows the folders, but not "
                    + "their order.",
                fix: "Write these lines into the file, with the lowest layer first, and run init again:\n\n"
                    + configuration.layersText)
        }
        configuration.layers = found.layers
        configuration.apps = [
            .init(
                manifest: umbrella + "/Package.swift",
                registrations: umbrella + "/Sources/AppModules/Registrations.swift",
                packages: found.folder)
        ]
        var packages = try starter.packages(in: found.base, checksBuilds: checksBuilds)
        let plugin = packages.uses.removeValue(forKey: StarterPackages.plugin)
        configuration.uses = packages.uses
        let list = try list(
            configuration,
            [
                "Name": "AppModules", "Products": "", "TestList": "", "Tests": "", "App": "",
                "Registrations": "Sources/AppModules",
            ], plugin)
        let versions = Self.text(PackageResources.Versions_template)
        var files = packages.files.merging(try shared(root, configuration, list, versions)) { first, _ in
            first
        }
        var start = "let host = try ModuleHost(Registrations.modules, center: .shared)"
        var links = found.projects.map { "the app in \($0)" }
        var edited: [String: String] = [:]
        var notes = found.projects.map {
            "So that the rules read the app's sources in \(PathText.split($0).folder), add 'sources: FOLDER' to the app in "
                + "\(Configuration.path)."
        }
        if let app = try found.app(app) {
            links = ["\(app.target.name) in \(app.package.manifestPath)"]
            if let text = try linked(app.target.name, in: app.package, to: umbrella, root, configuration) {
                edited[app.package.manifestPath] = text
                files[app.target.folder + "/LaunchModules.swift"] = Self.text(
                    PackageResources.Launch_template)
                (start, links) = ("try await launchModules()", [])
            }
            let old = Self.tooOld(
                try root.text(app.package.manifestPath), configuration.newPackages.platforms)
            if !old.isEmpty {
                notes = [
                    "Raise the platforms in \(app.package.manifestPath) to \(old.joined(separator: ", "))."
                ]
            }
        }
        files[Configuration.path] = nil
        try refuseExisting(files, root)
        files[Configuration.path] = configuration.text
        let names = configuration.layers.map(\.name).joined(separator: ", ")
        return try plan(
            "Set up module pairs with the layers \(names), and the package \(umbrella).",
            files.merging(edited) { $1 }, root,
            next: ["Add a pair: Scripts/modules new-module NAME"] + notes
                + links.map { "Link the product AppModules of the local package \(umbrella) to \($0)." }
                + [
                    "Where the app starts: \(start)",
                    "Show what the rules find: Scripts/modules check. Record the findings as known: Scripts/modules baseline",
                ] + steps)
    }

    /// The platforms of an app's manifest that are older than those of the modules, each with the version that the
    /// modules need.
    private static func tooOld(_ manifest: String, _ needed: [String: String]) -> [String] {
        let declared = manifest.matches(of: /\.(\w+OS)\((?:\.v|")(\d+)/)
        let old = declared.filter { match in
            let version = needed[String(match.1)].flatMap { Int($0) } ?? 0
            return Int(match.2).map { $0 < version } == true
        }.map { String($0.1) }
        // Without a list of platforms, SwiftPM assumes old versions of all of them.
        return (declared.isEmpty ? ["macOS"] : old).map { "\($0) \(needed[$0] ?? "")" }
    }

    /// The manifest of a package, edited so that a target also depends on the package that links the pairs and on the
    /// packages that start the pairs; nil if the manifest does not consist of literals or does not declare the
    /// target.
    private func linked(
        _ target: String, in package: LocalPackage, to umbrella: String, _ root: HouseRoot,
        _ configuration: Configuration
    ) throws -> String? {
        let text = try root.text(package.manifestPath)
        var edit = try ManifestSource(text, in: root.url.appending(path: package.path).path)
        guard edit.literal != nil else { return nil }
        let sources = configuration.uses.merging(["AppModules": .path(umbrella)]) { $1 }
        let isLinked =
            edit.add(Set(sources.map { .init($0.key, $0.value.declaration(from: package.path)) }))
            && edit.add(Set(sources.map { .init(product: $0.key, package: $0.key) }), to: target)
        return isLinked ? edit.text : nil
    }

    // MARK: Files of both kinds of repositories

    /// The last steps for the user.
    private var steps: [String] {
        (checksBuilds
            ? ["Run Scripts/modules check before the first build, which needs the built tool."] : [])
            + starter.steps
    }

    /// An app's manifest without pairs.
    private func list(
        _ configuration: Configuration, _ values: [String: String], _ plugin: Configuration.Source?
    ) throws(Diagnostic) -> PairList {
        let app = configuration.apps[0]
        let folder = app.folder
        let name = StarterPackages.plugin
        let prefix = PathText.path(to: app.packages, from: folder)
        let all = values.merging([
            "Folder": app.packages.isEmpty ? "the root" : "`\(app.packages)`",
            "Suffix": configuration.apiSuffix,
            "Platforms": configuration.newPackages.platformList, "Prefix": prefix.isEmpty ? "" : prefix + "/",
            "PluginPackage": plugin.map { "\n        \($0.declaration(from: folder))," } ?? "",
            "Plugin": plugin == nil
                ? "" : ",\n            plugins: [.plugin(name: \"\(name)\", package: \"\(name)\")]",
        ]) { first, _ in first }.merging(configuration.uses.mapValues { $0.declaration(from: folder) }) { $1 }
        // The values contain placeholders too.
        let text = ModuleTemplates.filled(PackageResources.RootManifest_template, all)
        return try PairList(ModuleTemplates.filled(text, all), of: app)
    }

    /// The files that `init` adds to both kinds of repositories.
    private func shared(
        _ root: HouseRoot, _ configuration: Configuration, _ list: PairList, _ versions: String
    ) throws -> [String: String] {
        [
            list.app.manifest: list.text,
            list.app.registrations: RegistrationsFile(pairs: list.pairs, configuration: configuration)
                .text(manifest: list.app.manifest),
            VersionsFile.path: versions, Configuration.path: configuration.text,
            root.spelled(Self.script): try starter.launcher(),
        ]
    }

    private static func text(_ template: [UInt8]) -> String { String(decoding: template, as: UTF8.self) }

    /// The plan that writes these files. The files and the next steps use the actual path of the launcher script.
    private func plan(
        _ summary: String, _ files: [String: String], _ root: HouseRoot, next: [String]
    ) throws -> EditPlan {
        func named(_ text: String) -> String { text.replacing(Self.script, with: root.spelled(Self.script)) }
        let edited = files.keys.filter(root.exists).sorted()
        let mixed = edited.isEmpty ? nil : try GitRepository.uncommitted(in: edited, root: root.url.path)
        let note = (mixed ?? []).map { "Check \($0): it had uncommitted changes, and init changed it too." }
        return EditPlan(
            summary,
            changes: files.sorted { $0.key < $1.key }.map { .write(path: $0.key, contents: named($0.value)) },
            next: note + next.map(named))
    }
}
