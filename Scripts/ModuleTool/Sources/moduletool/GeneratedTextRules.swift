import Foundation
import ModuleEdits
import ModuleRules
import ModuleTree

extension RuleBook {
    /// The rules of the tree, and the rules about text that this tool generates.
    static let all = rules + [.remoteCurrent, .registrationsCurrent, .diagramCurrent]
}

extension Rule {
    static let registrationsCurrent = Rule(
        "registrations-current", in: .registration, counting: { $0.tree.registrations.count }
    ) { report in
        let apps = report.tree.names.apps
        guard report.tree.registrations.count == apps.count,
            // Without a readable list of pairs, the registrations cannot be generated.
            !report.tree.unread.contains(where: { apps.map(\.manifest).contains($0.place.path) })
        else { return }
        for (path, what) in try MakeRegistrations().stale(in: HouseRoot(report.tree)) {
            report(SourcePlace(path: path), what, fix: "Scripts/modules registrations")
        }
    }

    static let diagramCurrent = Rule(
        "diagram-current", in: .layers, needsWholeTree: true,
        counting: { try PictureInFile.all(in: $0.tree.root).count }
    ) { report in
        let pictures = try PictureInFile.all(in: report.tree.root)
        if pictures.isEmpty { return }
        let text = GraphText.tree(try GraphView(report.context))
        for picture in pictures {
            guard let (line, wanted) = picture.difference(from: text) else { continue }
            report(
                SourcePlace(path: picture.path, line: line), "shows an outdated tree: expected `\(wanted)`",
                fix: "Scripts/modules graph --write \(picture.path)")
        }
    }

    static let remoteCurrent = Rule(
        "remote-current", in: .pairs, counting: { try RemotePackage.generated(in: HouseRoot($0.tree)).count }
    ) { report in
        let root = try HouseRoot(report.tree)
        let generated = RemotePackage.generated(in: root)
        let manifests = report.tree.names.apps.map(\.manifest)
        // Without a readable list of pairs, the packages cannot be generated.
        guard !generated.isEmpty, !report.tree.unread.contains(where: { manifests.contains($0.place.path) }),
            // The rule version-table reports a table that cannot be read.
            let versions = try? root.versionsFile()
        else { return }
        let packages = try RemotePackage.all(in: root)
        for one in generated where !packages.contains(where: { $0.folder == one.folder }) {
            let name = PathText.split(one.folder).name
            report(
                SourcePlace(path: one.file), "\(name) does not belong to any pair",
                fix: "Scripts/modules remove \(name)")
        }
        for package in packages {
            let api = try package.api()
            for obstacle in api.obstacles {
                report(
                    obstacle.place, "\(obstacle.what); \(package.remote) calls it in another process",
                    fix: "\(obstacle.fix); or Scripts/modules remove \(package.remote)")
            }
            for path in try package.stale(api, versions).keys.sorted() {
                report(
                    SourcePlace(path: path),
                    root.exists(path)
                        ? "differs from \(report.tree.names.api(package.name)) or from its versions"
                        : "is missing from the generated package",
                    fix: "Scripts/modules remote \(package.name)")
            }
        }
    }
}

extension Tree {
    /// The apps whose lists of modules exist.
    fileprivate var registrations: [Configuration.App] {
        hasLayers
            ? names.apps.filter { FileManager.default.fileExists(atPath: root + "/" + $0.registrations) } : []
    }
}

extension HouseRoot {
    init(_ tree: Tree) throws {
        try self.init(URL(filePath: tree.root, directoryHint: .isDirectory))
    }
}
