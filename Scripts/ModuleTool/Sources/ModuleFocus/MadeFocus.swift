import Foundation
import ModuleEdits
import ModuleKit
import ModuleTree

/// A focus whose package has just been made.
package struct MadeFocus {
    /// The tree that was read for the focus.
    package let tree: Tree
    package let focus: Focus
    package let package: MergedPackage
    /// The packages that are not merged, each with the reason.
    package let staying: [(package: LocalPackage, reason: String)]
    package let tests: FocusTests

    /// Reads the tree and makes the package, while no command edits the tree or makes a focus.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of `modules focus`; nil for those of the last focus, or `--all` if there is none.
    ///   - command: `modules focus` as the user starts it.
    ///   - onWait: Called once if the call has to wait for a command that edits the tree.
    ///   - read: Reads the tree.
    package init(
        _ arguments: [String]?, at root: URL, command: String, onWait: () -> Void, read: () throws -> Tree
    ) throws {
        let folder = FocusFolder(root: root)
        let lock = try Transaction.lock(root: root, onWait: onWait)
        defer { withExtendedLifetime(lock) {} }
        let last = try folder.arguments()
        let arguments = arguments ?? (last.isEmpty ? ["--all"] : last)
        // Read before the tree, like the manifests: the package does not compile if a file changes in the meantime.
        let apps = (try Configuration(root: root.path) ?? Configuration()).apps
        let files = ([Configuration.path] + apps.map(\.registrations)).reduce(into: [String: Data]()) {
            files, path in
            files[path] = FileManager.default.contents(atPath: root.appending(path: path).path)
        }
        tree = try read()
        focus =
            arguments.contains("--all")
            ? try Focus(onAllIn: tree)
            : try Focus(
                on: arguments.filter { $0 != "--callers" }, callers: arguments.contains("--callers"),
                last: last, in: tree)
        let found = try FocusTargets(focus)
        package = try MergedPackage(focus, found)
        staying = found.staying
        let tests = found.targets.filter { $0.target.kind == .test }.map { ($0.target.name, $0.package.path) }
        self.tests = FocusTests(in: FocusFolder.path, tests: Dictionary(tests) { first, _ in first })
        // The merged packages, and those that decide which packages are merged and with which traits.
        let packages = Set(found.builds.keys).union((staying.map(\.package) + focus.deciding).map(\.index))
            .union(found.traits.mayBeSelected ? focus.dependencies(of: focus.package).map(\.index) : [])
        var sources: [(path: String, contents: Data)] = packages.sorted().flatMap { index in
            tree.manifests(of: tree.packages[index]).map { ($0.path, Data($0.bytes)) }
        }
        for path in [focus.registrations, Configuration.path] {
            if let contents = files[path] { sources.append((path, contents)) }
        }
        try folder.make(
            package, of: focus.package.path, from: sources, arguments: arguments, command: command)
    }
}
