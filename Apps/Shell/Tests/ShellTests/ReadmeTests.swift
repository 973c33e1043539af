import Foundation
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
    private func readme(_ path: String = "README.md") throws -> Readme { try Readme(path, in: Tree.root) }

    @Test("has code that stands, word for word, in the files it names")
    func code() throws {
        let readme = try readme()
        #expect(!readme.blocks(in: "swift").isEmpty)
        #expect(readme.strayCode(indented: true).map(\.description) == [])
    }

    @Test("shows rows of the release table as they are")
    func table() throws {
        let versions = try Tree.text("VERSIONS.md")
        let blocks = try readme().blocks(in: "text")
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(versions.contains(block.text)) }
    }

    @Test("has blocks of no other kind than these tests know")
    func kinds() throws {
        let kinds = Set(try readme().blocks.map(\.language))
        #expect(kinds == ["sh", "swift", "text", "mermaid"])
    }

    @Test("names files and folders that are there")
    func links() throws {
        for path in ["README.md", "VERSIONS.md"] {
            for link in try Tree.text(path).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
                let file = Tree.root.appending(path: String(link.1))
                #expect(FileManager.default.fileExists(atPath: file.path), "\(path) links to \(link.1)")
            }
        }
    }

    @Test(
        "has commands that work in a fresh copy", .buildsCopies,
        arguments: ["README.md", "Scripts/Benchmarks/README.md"])
    func commands(readme: String) throws {
        let copy = try TreeCopy()
        // The rules about versions look into the history.
        let history = try copy.bash(
            "git init --quiet && git add . && git -c user.name=T -c user.email=t@example.com commit --quiet -m copy"
        )
        try #require(history.status == 0, "\(history.errors)")
        let blocks = try self.readme(readme).blocks(in: "sh").filter { $0.note == nil }
        let commands = blocks.flatMap(\.lines)
        #expect(!commands.isEmpty)
        for command in commands {
            if command == "Scripts/test" {
                // What runs this test. CI calls it by the same name.
                #expect(try Tree.text(".ci/run").contains("Scripts/test\n"))
                continue
            }
            // Measured once: the commands are what is tested here, not the machine.
            let run = try copy.bash("export BENCH_PAIRS=1; \(command)")
            // A loaded machine may be above a limit; then the command says so and exits with 1.
            let isMeasured = command.contains("--check") && run.errors.contains("above the limit")
            #expect(run.status == (isMeasured ? 1 : 0), "\(command)\n\(run.output)\(run.errors)")
            if command.hasPrefix("swift run Shell") { #expect(!run.output.isEmpty, "\(command)") }
        }
    }

    @Test("forces one version in an application as it says", .buildsCopies)
    func forcedVersion() throws {
        let block = try #require(
            try readme().blocks(in: "sh").first { $0.note?.contains("by version") == true })
        let copy = try TreeCopy()
        // An application that depends on a release of ModuleAApi, and beside it a copy to work on.
        let prepared = try copy.bash(
            """
            set -e
            mkdir -p Released Work App/Sources/App
            cp -R Packages/Business/ModuleAApi Released/ModuleAApi
            cp -R Packages/Business/ModuleAApi Work/ModuleAApi
            cd Released/ModuleAApi
            git init --quiet
            git add .
            git -c user.name=Test -c user.email=test@example.com commit --quiet --message 2.0.0
            git tag 2.0.0
            cd ../..
            mv App Work/App
            echo 'public let isTheWorkingCopy = true' >>Work/ModuleAApi/Sources/ModuleAApi/Copy.swift
            echo 'import ModuleAApi' >Work/App/Sources/App/main.swift
            echo 'print(isTheWorkingCopy)' >>Work/App/Sources/App/main.swift
            cat >Work/App/Package.swift <<EOF
            // swift-tools-version: 6.3
            import PackageDescription
            let package = Package(
                name: "App", platforms: [.macOS(.v15)],
                dependencies: [.package(url: "file://$PWD/Released/ModuleAApi", from: "2.0.0")],
                targets: [.executableTarget(name: "App", dependencies: ["ModuleAApi"])])
            EOF
            """)
        try #require(prepared.status == 0, "\(prepared.errors)")
        let released = try copy.bash("cd Work/App && swift build 2>&1")
        #expect(released.status != 0 && released.output.contains("cannot find 'isTheWorkingCopy'"))
        let forced = try copy.bash("cd Work/App && \(block.text) swift run App")
        #expect(forced.status == 0 && forced.output.contains("true"), "\(forced.errors)")
    }
}
