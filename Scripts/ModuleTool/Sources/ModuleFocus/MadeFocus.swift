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
    package let tests: FocusedTests
    /// The pairs of the last focus that the tree no longer has.
    package let removed: [String]

    private let folder: FocusFolder
    private var state: FocusFolder.State

    /// Whether the package is still the one that was made: another command may have made a focus on other pairs since.
    package var isCurrent: Bool { folder.state == state }

    /// Accepts a new time of the same manifest, which `modules test` may have set.
    package mutating func acceptTime() {
        let now = folder.state
        if now.manifest == state.manifest { state = now }
    }

    /// Reads the tree and makes the package, while no command edits the tree or makes a focus.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of `modules focus`. Without pairs or `--all`, the last focus is made again, without its
    ///     removed pairs; if there is none, one on all.
    ///   - isAfterEdit: Whether a command has just edited the tree. The package is then deleted if the command has removed
    ///     all its pairs.
    ///   - command: `modules focus` as the user starts it.
    ///   - onWait: Called once if the call has to wait for a command that edits the tree.
    ///   - read: Reads the tree.
    package init(
        _ arguments: [String], isAfterEdit: Bool, at root: URL, command: String, onWait: () -> Void,
        read: () throws -> Tree
    ) throws {
        folder = FocusFolder(root: root)
        let lock = try Transaction.lock(root: root, onWait: onWait)
        defer { withExtendedLifetime(lock) {} }
        let isAgain = arguments.allSatisfy { $0 == "--callers" }
        let last = isAgain ? try folder.arguments() : []
        var arguments = last + arguments.filter { !last.contains($0) }
        if isAgain, last.isEmpty { arguments.append("--all") }
        // Read before the tree, like the manifests: the package does not compile if a file changes in the meantime.
        let apps = (try Configuration(root: root.path) ?? Configuration()).apps
        let files = ([Configuration.path] + apps.map(\.registrations)).reduce(into: [String: Data]()) {
            files, path in
            files[path] = FileManager.default.contents(atPath: root.appending(path: path).path)
        }
        tree = try read()
        let pairs = Set(tree.packages.filter { $0.role == .imp }.map(\.name))
        removed = last.filter { !$0.hasPrefix("--") && !pairs.contains($0) }
        arguments.removeAll(where: removed.contains)
        let isEmpty = arguments.allSatisfy { $0 == "--callers" }
        if isEmpty {
            if isAfterEdit { try folder.delete() }
            throw Diagnostic(
                .configuration, at: FocusFolder.path,
                (isAfterEdit ? "was deleted" : "has no pairs any more")
                    + ", because this tree no longer has \(removed.joined(separator: " and "))",
                why: "A focus is an app with some of its pairs.",
                fix: "Name a pair, or pass --all: Scripts/modules focus NAME")
        }
        focus =
            arguments.contains("--all")
            ? try Focus(onAllIn: tree)
            : try Focus(
                on: arguments.filter { $0 != "--callers" }, callers: arguments.contains("--callers"),
                in: tree)
        let found = try FocusTargets(focus)
        package = try MergedPackage(focus, found)
        staying = found.staying
        let tests = found.targets.filter { $0.target.kind == .test }.map { ($0.target.name, $0.package.path) }
        self.tests = FocusedTests(in: FocusFolder.path, tests: Dictionary(tests) { first, _ in first })
        // The merged packages, and those that decide which packages are merged and with which traits.
        let packages = Set(found.builds.keys).union((staying.map(\.package) + focus.deciding).map(\.index))
            .union(found.traits.mayBeSelected ? focus.packages.map(\.index) : [])
        var sources: [(path: String, contents: Data)] = packages.sorted().flatMap { [tree] index in
            tree.manifests(of: tree.packages[index]).map { ($0.path, Data($0.bytes)) }
        }
        for path in [focus.registrations, Configuration.path] {
            if let contents = files[path] { sources.append((path, contents)) }
        }
        try folder.make(
            package, of: focus.package.path, from: sources, arguments: arguments, command: command)
        state = folder.state
    }
}
