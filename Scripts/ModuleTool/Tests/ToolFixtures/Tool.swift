import Foundation
import ModuleFixtures
import ModuleKit
import Testing

/// Runs the built tool on a tree.
package final class Tool: Sendable {
    package let tree: TemporaryTree

    /// Runs the tool on a copy of a tree.
    ///
    /// - Parameter template: The tree to copy; by default the sample tree.
    package init(_ template: TemporaryTree? = nil) throws {
        tree = try HouseFiles.copy(of: template ?? SampleTree.template.get())
        try makeCache(with: Self.sampleFacts.get())
    }

    /// Runs the tool on a small tree.
    package init(in tree: TemporaryTree) throws {
        self.tree = tree
        try makeCache(with: Self.smallFacts.get())
    }

    private init(withoutFacts tree: TemporaryTree) throws {
        self.tree = tree
        try makeCache(with: nil)
    }

    // MARK: Cached facts

    /// The files in which the built tool has cached the facts of the sample and of the small tree. Parsing a tree takes
    /// longer than most tests, and the tool accepts only facts that its own executable has stored.
    private static let sampleFacts = Result { try facts(of: SampleTree.make()) }
    private static let smallFacts = Result { try facts(of: SmallTree.make()) }

    /// Returns nil on macOS, where the tool keeps its cache in the user's folder.
    private static func facts(of tree: TemporaryTree) throws -> String? {
        let tool = try Tool(withoutFacts: tree)
        try tool.expect("graph --format text")
        guard FileManager.default.fileExists(atPath: tool.facts) else { return nil }
        let kept = tree.root + ".facts"
        HouseFiles.removeAtExit([kept])
        try FileManager.default.moveItem(atPath: tool.facts, toPath: kept)
        return kept
    }

    /// The file in which the tool caches the facts of this tree.
    private var facts: String {
        let name = tree.root.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
        return "\(tree.root).cache/moduletool/\(name).facts"
    }

    private func makeCache(with facts: String?) throws {
        try HouseFiles.makeCache(tree.root + ".cache/moduletool")
        if let facts { try FileManager.default.copyItem(atPath: facts, toPath: self.facts) }
    }

    deinit { try? FileManager.default.removeItem(atPath: tree.root + ".cache") }

    /// The path of the built tool: in a parent folder of the test bundle, or else in the package's debug build.
    package static func path() throws -> String {
        // On macOS, the running program is a helper of the toolchain that has loaded the test bundle.
        var folder = Bundle(for: Tool.self).bundleURL
        while folder.path != "/" {
            let tool = folder.appending(path: "moduletool").path
            if FileManager.default.isExecutableFile(atPath: tool) { return tool }
            folder.deleteLastPathComponent()
        }
        let built = HouseFiles.root.appending(path: "Scripts/ModuleTool/.build/debug/moduletool").path
        try #require(FileManager.default.isExecutableFile(atPath: built), "The tool is not built.")
        return built
    }

    /// Runs the tool in a folder, as if no launcher had started it.
    package static func alone(_ arguments: String..., in folder: String) throws -> Command.Output {
        try Command.run([path()] + arguments, in: folder)
    }

    @discardableResult
    package func run(_ arguments: String...) throws -> Command.Output { try run(arguments) }

    /// Runs the tool on the tree, from a folder outside the tree.
    ///
    /// - Parameters:
    ///   - environment: Variables to add to this process's environment.
    ///   - root: The folder of the tree to check, instead of the whole tree.
    package func run(_ arguments: [String], environment: [String: String] = [:], root: String = "") throws
        -> Command.Output
    {
        // With a cache for this copy, unchanged manifests do not start the compiler again.
        let variables =
            ["XDG_CACHE_HOME=\(tree.root).cache", "MODULETOOL_ROOT=\(tree.root)"]
            + environment.map { "\($0)=\($1)" }
        let output = try Command.run(
            ["/usr/bin/env"] + variables + [Self.path()] + arguments
                + ["--root", root.isEmpty ? tree.root : "\(tree.root)/\(root)"], in: "/")
        for fix in (output.text + output.standardError).matches(of: /\n  fix:  (.*)/) {
            #expect(String(fix.1).isInForm, "\(arguments)")
        }
        return output
    }

    /// Runs a command line of the tool on the tree, or on a folder in it, and expects its exit code and these parts of
    /// its output, which is returned.
    @discardableResult
    package func expect(
        _ line: String, _ status: Int32 = 0, _ parts: String..., environment: [String: String] = [:],
        root: String = "", at place: SourceLocation = #_sourceLocation
    ) throws -> String {
        let output = try run(
            line.split(separator: " ").map(String.init), environment: environment, root: root)
        let text = output.text + output.standardError
        #expect(output.status == status, "\(line): \(text)", sourceLocation: place)
        for part in parts { #expect(text.contains(part), "\(line): \(text)", sourceLocation: place) }
        return text
    }

    /// Writes launcher scripts into the copy. Unlike the real launchers, these scripts do not build the tool.
    package func installLaunchers() throws {
        for (script, command) in [
            ("modules", ""), ("new-module", "new-module"), ("check-versions", "check versions"),
            ("registrations", "registrations"),
        ] {
            try tree.write(
                "Scripts/\(script)",
                "#!/bin/sh\nexec env MODULETOOL_ROOT=\"$PWD\" '\(try Self.path())' \(command) \"$@\"\n")
            try tree.run("chmod", "+x", "Scripts/\(script)")
        }
    }

    /// Runs something that starts programs which get signals. On Linux, a thread of the concurrency runtime blocks signals,
    /// and so would the programs that it starts.
    package static func acceptingSignals<Result>(_ body: () throws -> Result) rethrows -> Result {
        var (none, blocked) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        return try body()
    }

    /// Runs a shell command in the copy.
    package func attempt(_ line: String) throws -> Command.Output {
        try Command.run(
            [
                "env", "XDG_CACHE_HOME=\(tree.root).cache", "GIT_AUTHOR_NAME=T",
                "GIT_AUTHOR_EMAIL=t@example.com",
                "GIT_COMMITTER_NAME=T", "GIT_COMMITTER_EMAIL=t@example.com", "bash", "-c", line,
            ], in: tree.root)
    }
}
