import Foundation
import ModuleTree

/// A focus whose package has just been made.
package struct MadeFocus {
    package let focus: Focus
    package let package: MergedPackage
    /// The packages that are not merged, each with the reason.
    package let staying: [(package: LocalPackage, reason: String)]
    package let tests: FocusTests

    /// - Parameters:
    ///   - arguments: The arguments of `modules focus`.
    ///   - command: `modules focus` as the user starts it.
    package init(_ arguments: [String], in tree: Tree, at root: URL, command: String) throws {
        focus =
            arguments.contains("--all")
            ? try Focus(onAllIn: tree)
            : try Focus(
                on: arguments.filter { $0 != "--callers" }, callers: arguments.contains("--callers"), in: tree
            )
        let found = try FocusTargets(focus)
        package = try MergedPackage(focus, found)
        staying = found.staying
        let tests = found.targets.filter { $0.target.kind == .test }.map { ($0.target.name, $0.package.path) }
        self.tests = FocusTests(in: FocusFolder.path, tests: Dictionary(tests) { first, _ in first })
        // The manifests of the merged packages, and those that decide which packages are merged.
        let manifests = Set(found.builds.keys).union(staying.map(\.package.index)).map {
            tree.packages[$0].manifestPath
        }
        try FocusFolder(root: root).make(
            package, from: focus.sources + Set(manifests).subtracting(focus.sources).sorted(),
            pins: found.outside.isEmpty && staying.isEmpty
                ? nil : PathText.join(focus.package.path, "Package.resolved"),
            arguments: arguments, command: command)
    }

    /// Makes the package of the last focus again; one of all packages if there is none.
    package init(again tree: Tree, at root: URL, command: String) throws {
        let last = try FocusFolder(root: root).arguments()
        try self.init(last.isEmpty ? ["--all"] : last, in: tree, at: root, command: command)
    }
}
