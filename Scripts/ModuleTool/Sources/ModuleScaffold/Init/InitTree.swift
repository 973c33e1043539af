import Foundation
import ModuleEdits
import ModuleKit
import ModuleTree
import ModuleVersions

/// Sets up a repository for module pairs: `modules init`. An empty folder becomes a repository with an app and a
/// pair. A repository with an app gets a configuration, and a package that links the pairs into the app.
package struct InitTree: Edit {
    let app: String?
    let starter: HousePackages
    let checksBuilds: Bool
    let versions: Configuration.Versions
    let isForIOS: Bool

    private static let pair = "Greeting"
    static let workflow = ".github/workflows/ci.yml"

    /// - Parameters:
    ///   - app: The name of the app; nil for the only app of the repository.
    ///   - starter: The packages that the tree starts with.
    ///   - checksBuilds: Whether each build of the app checks the rules.
    ///   - versions: Whether the packages have versions.
    ///   - isForIOS: Whether a new repository also gets the app in SwiftUI.
    package init(
        app: String?, starter: HousePackages, checksBuilds: Bool, versions: Configuration.Versions = .table,
        isForIOS: Bool = false
    ) {
        (self.app, self.starter, self.checksBuilds) = (app, starter, checksBuilds)
        (self.versions, self.isForIOS) = (versions, isForIOS)
    }

    package var command: String { "init" }

    /// Plans the edit, so that a refusal leaves the folder unchanged.
    package func validate(_ root: TreeRoot) throws {
        _ = try plan(root)
    }

    package func plan(_ root: TreeRoot) throws -> EditPlan {
        let settings = root.exists(Configuration.path) ? try root.text(Configuration.path) : nil
        // A file that contains only layers is the answer to the question about their order. Excluded folders may contain
        // manifests that cannot be read.
        let isOrder =
            settings?.split(separator: "\n")
            .allSatisfy { $0.prefixMatch(of: /[ #]|layers:|exclude:/) != nil } ?? true
        let isNew = try StartingPlace.isNew(root.url)
        guard isOrder, settings == nil || !isNew && !root.exists(VersionsFile.path) else {
            return EditPlan("\(root.url.path) is already set up: it has \(Configuration.path).")
        }
        guard isNew || !isForIOS else {
            throw Diagnostic(
                .configuration, at: root.url.path, "--ios needs an empty folder.",
                why: "This repository has an app already, or packages.",
                fix:
                    "Leave out --ios, and show the modules' screens with the package Screens: Scripts/modules add Screens"
            )
        }
        let hasLayers = settings?.contains(/(?m)^layers:/) == true
        return try isNew ? new(root) : adopted(root, hasLayers ? root.configuration.layers : nil)
    }

    // MARK: An empty folder

    private func new(_ root: TreeRoot) throws -> EditPlan {
        guard let app else {
            throw Diagnostic(
                .configuration, "the app has no name.", why: "The new repository contains an app.",
                fix: "Run: Scripts/modules init --app Acme")
        }
        try ModuleName.validate(
            app,
            taken: [
                "ApiCenter", "AppModules", Self.pair, "Launch", "Lifecycle", "Links", "Locking", "Pages",
                "Routes",
                "Screens", "TestSupport",
            ], kind: "an app")
        let sources = "Apps/\(app)/Sources"
        var configuration = Configuration()
        configuration.apps = [.init(registrations: "\(sources)/AppModules/Registrations.swift")]
        configuration.versions = versions
        let target = """
            ,
                    .executableTarget(
                        name: "\(app)",
                        dependencies: ["AppModules", product("ApiCenter"), product("Launch")] + apis,
                        path: "\(sources)/\(app)"),
            """
        // The folders of copies are those of the tool's repository.
        func place(_ source: String) -> String {
            HousePackages.folders.contains(PathText.split(source).folder)
                ? source : "Packages/Base/" + PathText.split(source).name
        }
        let library = isForIOS ? self.library(app, in: sources) : (product: "", target: "")
        var start = try start(
            root, &configuration,
            with: [HousePackages.launch, HousePackages.routes] + (isForIOS ? Self.packagesOfUI : []),
            forPairs: isForIOS ? Self.packagesOfScreens : [], at: place,
            [
                "Name": app, "Shared": Self.products(["ApiCenter", "Launch", "Lifecycle", "Routes"]),
                "Import": "Launch", "MakeApp": "let app = try makeApp()", "Center": "app.center",
                "Products": ".executable(name: \"\(app)\", targets: [\"\(app)\"]),\n        "
                    + library.product,
                "TestList": Self.text(PackageResources.RootTests_template), "Tests": " + tests",
                "UsesProperty": """

                    /// The products that the pair's tests use, besides the pair, its Api and ApiCenter.
                    /// `Scripts/modules registrations` writes them.
                    let uses: [String]
                """, "UsesParameter": ", uses: [String] = []",
                "UsesAssignment": "\n        self.uses = uses", "App": target + library.target,
            ])
        let (folder, first) = ("Packages/Business/\(Self.pair)", ModuleTemplates.version)
        try start.list.add(folder: folder)
        let templates = ModuleTemplates(
            name: Self.pair, folder: folder, configuration: configuration, settings: "")
        start.files.merge(templates.pair(calling: [])) { $1 }
        if versions == .table {
            start.files[VersionsFile.path] =
                VersionsFile(VersionsFile.template)
                .with(.init(module: Self.pair, api: .own(first), imp: first)).text
        }
        start.files["\(sources)/\(app)/main.swift"] = ModuleTemplates.filled(
            PackageResources.App_template, ["Api": configuration.api(Self.pair), "Name": app])
        start.files["\(sources)/AppModules/MakeApp.swift"] = Self.text(PackageResources.MakeApp_template)
        let names = try? FileManager.default.contentsOfDirectory(atPath: root.url.path)
        if names?.contains(where: { $0.lowercased().hasPrefix("readme") }) != true {
            let hint =
                "\n  Run it once on each machine before the first build: it builds the tool that each build starts."
            start.files["README.md"] = ModuleTemplates.filled(
                PackageResources.Readme_template,
                [
                    "Name": app, "BeforeBuilds": checksBuilds ? hint : "",
                    "UI": isForIOS
                        ? "\n- `\(sources)/\(app)UI` is the app in SwiftUI, which a target of an Xcode project starts."
                        : "",
                    "Versions": versions == .table ? ", and VERSIONS.md the versions of the pairs" : "",
                ])
        }
        start.files[Self.workflow] = ModuleTemplates.filled(
            PackageResources.Workflow_template,
            [
                "History": versions == .table
                    ? "The version rules read the whole history." : "All commits, for --since."
            ])
        if isForIOS { addScreens(of: app, in: sources, templates, to: &start) }
        let ignored = root.exists(".gitignore") ? try root.text(".gitignore") : ""
        let lines = [".build/", ".swiftpm/", ".DS_Store", "xcuserdata/", "DerivedData/"].filter {
            !ignored.split(separator: "\n").contains(Substring($0))
        }
        return try plan(
            "Created the app \(app) and the module \(Self.pair).", start, root, configuration,
            edited: [".gitignore": ignored + lines.map { $0 + "\n" }.joined()],
            next: [
                "Run the app: swift run \(app)",
                "Run the tests that have not passed yet: Scripts/modules test",
                versions == .table
                    ? "Commit everything, because the rules about versions read git's history."
                    : "Commit everything.",
                "Add a module: Scripts/modules new-module Wallet --calls \(Self.pair)",
            ]
                + (isForIOS
                    ? ["Make the Xcode project: see Scripts/ModuleTool/IOS.md in the tool's repository."]
                    : []))
    }

    // MARK: Both kinds of repositories

    static func text(_ template: [UInt8]) -> String { String(decoding: template, as: UTF8.self) }

    /// The elements of a list of products in a manifest.
    static func products(_ names: [String]) -> String {
        names.map { "product(\"\($0)\")" }.joined(separator: ", ")
    }

    /// What `init` adds to every repository.
    struct Start {
        /// The app's list of pairs.
        var list: PairList
        /// The other new files, by path.
        var files: [String: String]
        /// The constants of the routes that the pairs' Apis declare, by pair name.
        var routes: [String: [String]] = [:]
        /// The packages that the tree gets.
        let packages: HousePackages.Packages
    }

    /// Begins with an empty list of pairs. Adds the packages that modules need to the configuration.
    ///
    /// - Parameters:
    ///   - extra: The packages that the app uses, besides those that modules need.
    ///   - others: The packages that only pairs use.
    func start(
        _ root: TreeRoot, _ configuration: inout Configuration, with extra: [String],
        forPairs others: [String] = [],
        at place: (String) -> String, _ values: [String: String]
    ) throws -> Start {
        let (modules, plugin) = (configuration.uses.keys.sorted(), HousePackages.plugin)
        let packages = try starter.packages(
            modules + extra + others + (checksBuilds ? [plugin] : []), for: { _ in command },
            at: { (place($0), false) })
        configuration.uses = packages.sources.filter { modules.contains($0.key) }
        let app = configuration.apps[0]
        let prefix = PathText.path(to: app.packages, from: app.folder)
        let tests = PathText.join(PathText.split(app.registrations).folder, "../../Tests/AppModulesTests")
        // The types are written out, because the compiler takes seconds to find them.
        let appPackages: [String] = extra.compactMap { name in packages.sources[name] }.map { package in
            "\n    \(package.declaration(from: app.folder)),"
        }
        let pluginPackage: String? = packages.sources[plugin].map { package in
            "\n    \(package.declaration(from: app.folder)),"
        }
        let own: [String: String] = [
            "Folder": app.packages.isEmpty ? "the root" : "`\(app.packages)`",
            "Registrations": PathText.path(to: PathText.split(app.registrations).folder, from: app.folder),
            "AppTests": PathText.path(to: tests, from: app.folder),
            "Suffix": configuration.apiSuffix,
            "Platforms": configuration.newPackages.platformList, "Prefix": prefix.isEmpty ? "" : prefix + "/",
            // Only an app uses Launch and Routes, so the package of the pairs alone does not depend on them.
            "AppPackages": values["App"] == "" ? "" : appPackages.joined(),
            "PluginPackage": pluginPackage ?? "",
            "Plugin": checksBuilds
                ? ",\n            plugins: [.plugin(name: \"\(plugin)\", package: \"\(plugin)\")]" : "",
        ]
        let uses: [String: String] = configuration.uses.mapValues { $0.declaration(from: app.folder) }
        let all: [String: String] = values.merging(own) { given, _ in given }.merging(uses) { $1 }
        // The values contain placeholders too.
        let text = ModuleTemplates.filled(PackageResources.RootManifest_template, all)
        var files: [String: String] = [
            root.spelled(HousePackages.script): try starter.launcher(),
            "\(tests)/AppModulesTests.swift": ModuleTemplates.filled(PackageResources.AppTests_template, all),
        ]
        if versions == .table { files[VersionsFile.path] = VersionsFile.template }
        return Start(
            list: try PairList(ModuleTemplates.filled(text, all), of: app), files: files, packages: packages)
    }

    /// The plan that writes new files and edited ones. The new files, except copies, get the tree's format. They and the
    /// next steps use the actual path of the launcher script.
    func plan(
        _ summary: String, _ start: Start, _ root: TreeRoot, _ configuration: Configuration,
        edited: [String: String], next: [String]
    ) throws -> EditPlan {
        var files = start.files
        files[start.list.app.manifest] = start.list.text
        files[start.list.app.registrations] =
            RegistrationsFile(list: start.list, routes: start.routes, configuration: configuration).text
        let new = Set(files.keys).union(start.packages.files.keys)
        if let path = new.sorted().map(root.spelled).first(where: root.exists) {
            throw Diagnostic(
                .configuration, at: root.url.appending(path: path).path, "this file already exists.",
                why: "This command does not replace files.", fix: "Move it away, and run init again.")
        }
        try root.refuseIgnored(new.union([Configuration.path]).union(edited.keys))
        files = try ModuleTemplates.formatted(files, like: root)
        files[Configuration.path] = configuration.text
        files.merge(try Formatting.kept(edited, like: root)) { $1 }
        func named(_ text: String) -> String {
            text.replacing(HousePackages.script, with: root.spelled(HousePackages.script))
        }
        let old = files.keys.filter(root.exists).sorted()
        let mixed = old.isEmpty ? nil : try GitRepository.uncommitted(in: old, root: root.url.path)
        let note = (mixed ?? []).map { "Check \($0): it had uncommitted changes, and init changed it too." }
        let build = "Build the tool that each build starts: Scripts/modules check"
        return EditPlan(
            summary, changes: Change.writing(files.mapValues(named).merging(start.packages.files) { $1 }),
            next: note + ((checksBuilds ? [build] : []) + next + starter.steps).map(named))
    }
}
