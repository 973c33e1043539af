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
        let isNew = try StartingPlace.isNew(root.url)
        guard isOrder, settings == nil || !isNew && !root.exists(VersionsFile.path) else {
            return EditPlan("\(root.url.path) is already set up: it has \(Configuration.path).")
        }
        return try isNew ? new(root) : adopted(root, settings == nil ? nil : root.configuration.layers)
    }

    // MARK: An empty folder

    private func new(_ root: HouseRoot) throws -> EditPlan {
        guard let app else {
            throw Diagnostic(
                .configuration, "the app has no name.", why: "The new repository contains an app.",
                fix: "Run: modules init --app Acme")
        }
        try ModuleName.validate(
            app, taken: ["ApiCenter", "AppModules", Self.pair, "Lifecycle", "TestSupport"])
        let sources = "Apps/\(app)/Sources"
        var configuration = Configuration()
        configuration.apps = [.init(registrations: "\(sources)/AppModules/Registrations.swift")]
        let target = """
            ,
                    .executableTarget(
                        name: "\(app)", dependencies: ["AppModules"] + shared + apis,
                        path: "\(sources)/\(app)"),
            """
        var (list, files) = try start(
            root, &configuration, base: "Packages/Base",
            [
                "Name": app, "Products": ".executable(name: \"\(app)\", targets: [\"\(app)\"]),\n        ",
                "TestList": Self.text(PackageResources.RootTests_template), "Tests": " + tests",
                "App": target,
            ])
        let (folder, first) = ("Packages/Business/\(Self.pair)", ModuleTemplates.version)
        try list.add(folder: folder)
        let templates = ModuleTemplates(
            name: Self.pair, folder: folder, configuration: configuration, settings: "")
        files.merge(templates.pair(calling: [])) { $1 }
        files[VersionsFile.path] =
            VersionsFile(Self.text(PackageResources.Versions_template))
            .with(.init(module: Self.pair, api: .own(first), imp: first)).text
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
        let ignored = root.exists(".gitignore") ? try root.text(".gitignore") : ""
        let lines = [".build/", ".swiftpm/", ".DS_Store", "xcuserdata/", "DerivedData/"].filter {
            !ignored.split(separator: "\n").contains(Substring($0))
        }
        return try plan(
            "Created the app \(app) and the module \(Self.pair).", list, files, root, configuration,
            edited: [".gitignore": ignored + lines.map { $0 + "\n" }.joined()],
            next: [
                "Run the app: swift run \(app)",
                "Run the tests that have not passed yet: Scripts/modules test",
                "Commit everything, because the rules about versions read git's history.",
                "Add a module: Scripts/modules new-module Wallet --calls \(Self.pair)",
            ])
    }

    // MARK: A repository with an app

    /// - Parameter ordered: The layers in `.modules.yml`; nil if the repository has no such file.
    private func adopted(_ root: HouseRoot, _ ordered: [Layer]?) throws -> EditPlan {
        let found = try FoundTree(root)
        let umbrella = FoundTree.umbrella(root)
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
        let base = root.spelled("Packages/Base")
        configuration.layers = found.layers(
            ordered ?? found.libraries, base: starter.isCopying ? base : nil)
        configuration.apps = [
            .init(
                manifest: umbrella + "/Package.swift",
                registrations: umbrella + "/Sources/AppModules/Registrations.swift", packages: "")
        ]
        let values = ["Name": "AppModules", "Products": "", "TestList": "", "Tests": "", "App": ""]
        var (list, files) = try start(root, &configuration, base: base, values)
        var (edited, notes): ([String: String], [String]) = ([:], [])
        var start = "let host = try ModuleHost(Registrations.modules, center: .shared)"
        func link(_ app: String) -> String {
            "Link the product AppModules of the local package \(umbrella) to \(app)."
        }
        if let (package, target) = try found.app(app) {
            let manifest = package.manifestPath
            let old = Self.tooOld(try root.text(manifest), configuration.newPackages.platforms)
            if !old.isEmpty {
                notes.append("Raise the platforms in \(manifest) to \(old.joined(separator: ", ")).")
            }
            edited[manifest] = try linked(target.name, in: package, to: umbrella, root, configuration)
            if edited.isEmpty {
                notes.append(link("\(target.name) in \(manifest)"))
            } else {
                files[target.folder + "/LaunchModules.swift"] = Self.text(PackageResources.Launch_template)
                start = "try await launchModules()"
            }
        } else {
            for project in found.projects {
                notes += [
                    link("the app in \(project)"),
                    "So that the rules read the sources of that app, add 'sources: FOLDER' to the app in "
                        + "\(Configuration.path).",
                ]
            }
        }
        let names = configuration.layers.map(\.name).joined(separator: ", ")
        return try plan(
            "Set up module pairs with the layers \(names), and the package \(umbrella).",
            list, files, root, configuration, edited: edited,
            next: ["Add a pair: Scripts/modules new-module NAME"] + notes + [
                "Where the app starts: \(start)",
                "Show what the rules find: Scripts/modules check. Record the findings as known: Scripts/modules baseline",
            ])
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

    // MARK: Both kinds of repositories

    private static func text(_ template: [UInt8]) -> String { String(decoding: template, as: UTF8.self) }

    /// The app's list of pairs, which is empty, and the files that `init` adds to every repository except those with
    /// the list. Adds the packages that the tree starts with to the configuration.
    private func start(
        _ root: HouseRoot, _ configuration: inout Configuration, base: String, _ values: [String: String]
    ) throws -> (PairList, [String: String]) {
        var packages = try starter.packages(in: base, checksBuilds: checksBuilds)
        let name = StarterPackages.plugin
        let plugin = packages.uses.removeValue(forKey: name)
        configuration.uses = packages.uses
        let app = configuration.apps[0]
        let prefix = PathText.path(to: app.packages, from: app.folder)
        let all = values.merging([
            "Folder": app.packages.isEmpty ? "the root" : "`\(app.packages)`",
            "Registrations": PathText.path(to: PathText.split(app.registrations).folder, from: app.folder),
            "Suffix": configuration.apiSuffix,
            "Platforms": configuration.newPackages.platformList, "Prefix": prefix.isEmpty ? "" : prefix + "/",
            "PluginPackage": plugin.map { "\n        \($0.declaration(from: app.folder))," } ?? "",
            "Plugin": plugin == nil
                ? "" : ",\n            plugins: [.plugin(name: \"\(name)\", package: \"\(name)\")]",
        ]) { first, _ in first }.merging(configuration.uses.mapValues { $0.declaration(from: app.folder) }) {
            $1
        }
        // The values contain placeholders too.
        let text = ModuleTemplates.filled(PackageResources.RootManifest_template, all)
        var files = packages.files
        files[VersionsFile.path] = Self.text(PackageResources.Versions_template)
        files[root.spelled(Self.script)] = try starter.launcher()
        return (try PairList(ModuleTemplates.filled(text, all), of: app), files)
    }

    /// The plan that writes the files of the list, other new files, and edited ones. The files and the next steps use
    /// the actual path of the launcher script.
    private func plan(
        _ summary: String, _ list: PairList, _ new: [String: String], _ root: HouseRoot,
        _ configuration: Configuration, edited: [String: String], next: [String]
    ) throws -> EditPlan {
        var files = new
        files[list.app.manifest] = list.text
        files[list.app.registrations] = RegistrationsFile(list: list, configuration: configuration).text
        if let path = files.keys.sorted().map(root.spelled).first(where: root.exists) {
            throw Diagnostic(
                .configuration, at: root.url.appending(path: path).path, "this file already exists.",
                why: "init does not replace files.", fix: "Move it away, and run init again.")
        }
        files = try ModuleTemplates.formatted(files, like: root)
        files[Configuration.path] = configuration.text
        files.merge(try Formatting.kept(edited, like: root)) { $1 }
        func named(_ text: String) -> String { text.replacing(Self.script, with: root.spelled(Self.script)) }
        let old = files.keys.filter(root.exists).sorted()
        let mixed = old.isEmpty ? nil : try GitRepository.uncommitted(in: old, root: root.url.path)
        let note = (mixed ?? []).map { "Check \($0): it had uncommitted changes, and init changed it too." }
        let build = "Run Scripts/modules check before the first build, which needs the built tool."
        return EditPlan(
            summary, changes: Change.writing(files.mapValues(named)),
            next: note + (next + (checksBuilds ? [build] : []) + starter.steps).map(named))
    }
}
