import Foundation
import ModuleEdits
import ModuleRules
import ModuleTree

extension RuleBook {
    /// The rules of the tree, and the rules about text that this tool generates.
    static let all: [any Rule] =
        rules + [RemoteCurrentRule(), RegistrationsCurrentRule(), DiagramCurrentRule()]
}

/// An app's list of modules matches the list that `modules registrations` writes.
struct RegistrationsCurrentRule: Rule {
    let id = "registrations-current"
    let group = RuleGroup.registration
    let subject = RuleSubject { context in
        guard context.tree.hasLayers else { return 0 }
        return context.tree.names.apps.count { app in
            FileManager.default.fileExists(atPath: context.tree.root + "/" + app.registrations)
        }
    }
    let why = "the app contains only the listed modules"
    let source: String? = "1-ApiCenter, 如何使用 3"
    let explanation = """
        The registrations of each app must match what `modules registrations` generates from the pairs in the \
        app's manifest and the routes in their Apis. The rule applies only if the registrations of every app exist.

        Breaks it:  an edit of the list, or a new pair in Package.swift
        Fix it:     Scripts/modules registrations
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let apps = context.tree.names.apps
        guard try subject.count(context) == apps.count,
            // Without a readable list of pairs, the registrations cannot be generated.
            !context.tree.unread.contains(where: { apps.map(\.manifest).contains($0.place.path) })
        else { return [] }
        return try MakeRegistrations().stale(in: HouseRoot(context.tree)).map { path, what in
            finding(SourcePlace(path: path), what, fix: "Scripts/modules registrations")
        }
    }
}

/// The diagrams of the tree in READMEs are up to date.
struct DiagramCurrentRule: Rule {
    let id = "diagram-current"
    let group = RuleGroup.layers
    let subject = RuleSubject { try PictureInFile.all(in: $0.tree.root).count }
    let needsWholeTree = true
    let why = "a stale diagram misleads its readers"
    let explanation = """
        The diagrams of the tree in README.md and Packages/README.md must match the tree. A diagram is a Mermaid \
        block with the line `\(PictureInFile.mark)`.

        Breaks it:  a new dependency between two packages
        Fix it:     Scripts/modules graph --write Packages/README.md
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let pictures = try PictureInFile.all(in: context.tree.root)
        guard !pictures.isEmpty else { return [] }
        let text = GraphText.tree(try GraphView(context))
        return pictures.compactMap { name, picture in
            picture.difference(from: text).map { line, wanted in
                finding(
                    SourcePlace(path: name, line: line), "shows an outdated tree: expected `\(wanted)`",
                    fix: "Scripts/modules graph --write \(name)")
            }
        }
    }
}

/// The packages that call and serve pairs in other processes match the output of `modules remote`.
struct RemoteCurrentRule: Rule {
    let id = "remote-current"
    let group = RuleGroup.pairs
    let subject = RuleSubject {
        try RemotePackage.generated(in: HouseRoot($0.tree)).count
    }
    let why = "a process with old code calls requirements that no longer exist, or reports wrong versions"
    let explanation = """
        The generated files of a package such as GateRemote must match what `modules remote Gate` generates from the \
        Api and from VERSIONS.md. `bump` and `release` write them too. White space is ignored.

        Breaks it:  a new requirement in GateApiProtocol, or a new version of Gate that was written by hand
        Fix it:     Scripts/modules remote Gate
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let root = try HouseRoot(context.tree)
        let generated = RemotePackage.generated(in: root)
        let manifests = context.tree.names.apps.map(\.manifest)
        // Without a readable list of pairs, the packages cannot be generated.
        guard !generated.isEmpty, !context.tree.unread.contains(where: { manifests.contains($0.place.path) }),
            // The rule version-table reports a table that cannot be read.
            let versions = try? root.versionsFile()
        else { return [] }
        let packages = try RemotePackage.all(in: root)
        let orphans = generated.filter { one in !packages.contains { $0.folder == one.folder } }.map { one in
            let name = PathText.split(one.folder).name
            return finding(
                SourcePlace(path: one.file), "\(name) does not belong to any pair",
                fix: "Scripts/modules remove \(name)"
            )
        }
        return try orphans
            + packages.flatMap { package in
                let api = try package.api()
                return try api.obstacles.map { obstacle in
                    finding(
                        obstacle.place, "\(obstacle.what); \(package.remote) calls it in another process",
                        fix: "\(obstacle.fix); or Scripts/modules remove \(package.remote)")
                }
                    + package.stale(api, versions).keys.sorted().map { path in
                        finding(
                            SourcePlace(path: path),
                            root.exists(path)
                                ? "differs from \(context.tree.names.api(package.name)) or from its versions"
                                : "is missing from the generated package",
                            fix: "Scripts/modules remote \(package.name)")
                    }
            }
    }
}

extension HouseRoot {
    init(_ tree: Tree) throws {
        try self.init(URL(filePath: tree.root, directoryHint: .isDirectory))
    }
}
