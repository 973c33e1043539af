import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests that build copies of the tree, which takes minutes.
    static var buildsCopies: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["SHELL_BUILD_TESTS"] == "1",
            "builds copies of the tree; Scripts/test runs it")
    }
}

/// A copy of the tree in a folder of its own, which a test may change, build and run. Gone with the object.
final class TreeCopy {
    let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "ShellTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let copied = try bash(
            "tar -C '\(Tree.root.path)' --exclude '.build*' -cf - Package.swift VERSIONS.md README.md .gitignore "
                + ".swift-format Apps Packages Scripts | tar -xf -")
        try #require(copied.status == 0, "\(copied.errors)")
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Changes a file: every `old` in it becomes `new`. There must be one.
    func edit(_ path: String, replacing old: String, with new: String) throws {
        let text = try Tree.text(path, in: root)
        try #require(text.contains(old), "\(path) has no \(old)")
        try text.replacingOccurrences(of: old, with: new)
            .write(to: root.appending(path: path), atomically: true, encoding: .utf8)
    }

    /// Gives a file back its contents in the tree.
    func restore(_ path: String) throws {
        try Tree.text(path).write(to: root.appending(path: path), atomically: true, encoding: .utf8)
    }

    func bash(_ command: String) throws -> Finished {
        // Where the Shell keeps data when it is not told, on Linux and on macOS: not in the user's folder.
        try Process.run(
            "/usr/bin/env", "bash", "-c", command, in: root,
            environment: ["XDG_DATA_HOME": root.path + "/.data", "CFFIXED_USER_HOME": root.path + "/.data"])
    }

    /// Builds the Shell with these pairs and runs it, on data of its own.
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
            "rm -rf .data && \"$(swift build --show-bin-path)/Shell\" --data .data \(arguments)")
    }

    /// Builds the Shell and says which modules the compiler was run for.
    ///
    /// The compiler's driver goes by the times of files, and can miss an edit that comes right behind a
    /// build. A person is slower; so the clock's second is let change first.
    func compiled() throws -> Set<String> {
        _ = try bash("then=$(date +%s); until [ $(date +%s) -gt $((then + 1)) ]; do :; done")
        let built = try bash("swift build --product Shell")
        try #require(built.status == 0, "\(built.output)\(built.errors)")
        return Set(built.output.matches(of: /\] (?:Compiling|Emitting module) (\w+)/).map { String($0.1) })
    }
}
