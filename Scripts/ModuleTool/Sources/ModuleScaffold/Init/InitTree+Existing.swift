import Foundation
import ModuleEdits
import ModuleKit
import ModuleTree

// A repository with an app.
extension InitTree {
    /// - Parameter ordered: The layers in `.modules.yml`; nil if it lists none.
    func adopted(_ root: TreeRoot, _ ordered: [Layer]?) throws -> EditPlan {
        let found = try FoundTree(root)
        let umbrella = FoundTree.umbrella(root)
        var configuration = Configuration()
        configuration.layers = found.libraries
        configuration.exclude = root.configuration.exclude + found.unread.map(\.folder)
        configuration.versions = versions
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
        let values = [
            "Name": "AppModules", "Shared": Self.products(["ApiCenter", "Lifecycle"]), "Products": "",
            "Import": "Lifecycle", "Center": "center",
            "MakeApp": """
            let center = ApiCenter()
                    // Register here what the app registers for its modules before it launches them.
                    _ = try ModuleHost(Registrations.modules, center: center)
            """,
            "TestList": "", "Tests": "", "UsesProperty": "", "UsesParameter": "", "UsesAssignment": "",
            "App": "",
        ]
        if starter.isCopying { configuration.newPackages.copies = base }
        var start = try start(
            root, &configuration, with: [HousePackages.launch],
            at: { "\(base)/" + PathText.split($0).name }, values)
        var (edited, notes): ([String: String], [String]) = ([:], [])
        var launching = "let app = try ModularApp(Registrations.modules, center: .shared)"
        func link(_ app: String) -> String {
            "Link the product AppModules of the local package \(umbrella), and the product Launch, to \(app)."
        }
        if let (package, target) = try found.app(app) {
            let manifest = package.manifestPath
            let old = Self.tooOld(try root.text(manifest), configuration.newPackages.platforms)
            if !old.isEmpty {
                notes.append("Raise the platforms in \(manifest) to \(old.joined(separator: ", ")).")
            }
            edited[manifest] = try linked(
                target.name, in: package, to: umbrella, root,
                start.packages.sources.filter { ["ApiCenter", HousePackages.launch].contains($0.key) })
            if edited.isEmpty {
                notes.append(link("\(target.name) in \(manifest)"))
            } else {
                start.files[target.folder + "/LaunchModules.swift"] = Self.text(
                    PackageResources.Launch_template)
                launching = "try await launchModules()"
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
        notes += found.unread.map { manifest in
            "Note that \(manifest.place) cannot be read (\(manifest.reason)), so \(Configuration.path) excludes its "
                + "folder."
        }
        notes += found.largeManifests.map { path, count in
            "Note that \(path) declares \(count) libraries: most rules look at packages, and see one. To check the "
                + "dependencies between these libraries, move some of them to packages in folders of their own."
        }
        let names = configuration.layers.map(\.name).joined(separator: ", ")
        return try plan(
            "Set up module pairs with the layers \(names), and the package \(umbrella).",
            start, root, configuration, edited: edited,
            next: ["Add a pair: Scripts/modules new-module NAME"] + notes + [
                "Where the app starts: \(launching)",
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
        _ target: String, in package: LocalPackage, to umbrella: String, _ root: TreeRoot,
        _ packages: [String: Configuration.Source]
    ) throws -> String? {
        let text = try root.text(package.manifestPath)
        var edit = try ManifestSource(text, in: root.url.appending(path: package.path).path)
        guard edit.literal != nil else { return nil }
        let sources = packages.merging(["AppModules": .path(umbrella)]) { $1 }
        let isLinked =
            edit.add(Set(sources.map { .init($0.key, $0.value.declaration(from: package.path)) }))
            && edit.add(Set(sources.map { .init(product: $0.key, package: $0.key) }), to: target)
        return isLinked ? edit.text : nil
    }
}
