import Foundation
import ModuleEdits
import ModuleKit
import ModuleRules

extension Rule {
    package static let remoteCurrent = Rule(
        "remote-current", in: .pairs, needsWholeTree: true,
        counting: { RemotePackage.generated(in: $0.tree).count }
    ) { report in
        let root = TreeRoot(report.tree)
        let generated = RemotePackage.generated(in: report.tree)
        guard !generated.isEmpty,
            // The rule version-table reports a table that cannot be read.
            let versions = try? root.versionsFile()
        else { return }
        let packages = try RemotePackage.all(in: root, report.tree)
        for one in generated where !packages.contains(where: { $0.folder == one.package.path }) {
            let name = one.package.name
            report(
                SourcePlace(path: one.file), "\(name) does not belong to any pair",
                fix: "Run: Scripts/modules remove \(name)")
        }
        for package in packages {
            let interface = try package.interface()
            for obstacle in interface.obstacles {
                report(
                    obstacle.place, "\(obstacle.what); \(package.remote) calls it in another process",
                    fix:
                        "\(obstacle.fix) Or remove the generated package: Scripts/modules remove \(package.remote)"
                )
            }
            for (path, text) in try package.stale(interface, versions).sorted(by: { $0.key < $1.key }) {
                report(
                    SourcePlace(path: path),
                    root.exists(path)
                        ? "differs from \(report.tree.names.api(package.name)) or from its versions"
                        : "is missing from the generated package",
                    fix: "Run: Scripts/modules remote \(package.name)", repair: .write(text))
            }
        }
    }
}
