import Foundation
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// Tests that build a copy of the tree. They run serially, because they share the copy and its build
/// products.
@Suite(
    "Builds and commands in a copy of the tree", .serialized,
    .enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep and --third-party"))
enum CopyDeepTests {}

/// A copy of the tree that a test may change, build and run. Its git history has one commit.
///
/// Every copy is at the same path, so only one may exist at a time, and each reuses the build products of the
/// previous copy, even from an earlier test run.
final class TreeCopy {
    let root = Tree.root.appending(path: ".build-copy")
    private var edits = 0

    init() throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        // Unchanged files keep their modification times, so the build does not compile them again.
        let copied = try bash(
            """
            set -e
            rm -rf .git .data
            find . -name '.build*' -prune -o ! -type d -exec rm {} +
            tar -C '\(Tree.root.path)' --exclude '.build*' -cf - \
                .modules.yml Package.swift VERSIONS.md README.md .gitignore .swift-format Apps Packages Scripts | tar -xf -
            find . -depth -type d -empty ! -path '*/.build*' -delete
            # The copy has a history of its own.
            grep -v '^releases-after:' .modules.yml >.modules.copy && mv .modules.copy .modules.yml
            git init --quiet
            git add .
            git config user.name T && git config user.email t@example.com
            git commit --quiet -m copy
            """)
        try #require(copied.status == 0, "\(copied.errors)")
    }

    /// Replaces every occurrence of `old` in a file with `new`. Fails if the file does not contain `old`.
    func edit(_ path: String, replacing old: String, with new: String) throws {
        let text = try Tree.text(path, in: root)
        try #require(text.contains(old), "\(path) does not contain \(old)")
        let file = root.appending(path: path)
        try text.replacingOccurrences(of: old, with: new).write(to: file, atomically: true, encoding: .utf8)
        // The compiler driver may miss an edit if the file's modification time, in whole seconds, stays the same.
        edits += 1
        try FileManager.default.setAttributes(
            [.modificationDate: Date.now + Double(2 * edits)], ofItemAtPath: file.path)
    }

    /// Restores a file to its contents in the tree.
    func restore(_ path: String) throws {
        try Tree.text(path).write(to: root.appending(path: path), atomically: true, encoding: .utf8)
    }

    func bash(_ command: String) throws -> Finished {
        // These variables move the Shell's default data folder (on Linux and on macOS) into the copy.
        try Process.run(
            "/usr/bin/env", "bash", "-c", command, in: root,
            environment: ["XDG_DATA_HOME": root.path + "/.data", "CFFIXED_USER_HOME": root.path + "/.data"])
    }

    /// Builds the Shell with the given traits, or with the default traits if `traits` is nil, and runs it
    /// with an empty data folder.
    func shell(_ arguments: String = "", traits: [String]? = nil) throws -> Finished {
        let selection =
            switch traits {
            case nil: ""
            case []?: "--disable-default-traits"
            case let names?: "--disable-default-traits --traits \(names.joined(separator: ","))"
            }
        let built = try bash("swift build --product Shell \(selection)")
        try #require(built.status == 0, "\(built.output)\(built.errors)")
        return try bash(
            "rm -rf .data && .build/debug/Shell --data .data \(arguments)")
    }

    /// Builds the Shell and returns the names of the compiled modules.
    func compiled() throws -> Set<String> {
        let built = try bash("swift build --product Shell")
        try #require(built.status == 0, "\(built.output)\(built.errors)")
        return Set(built.output.matches(of: /\] (?:Compiling|Emitting module) (\w+)/).map { String($0.1) })
    }
}
#endif
