import Foundation
import Testing

@Suite("The command mutate", .timeLimit(.minutes(30)))
struct CommandTests {
    private let tree: URL
    /// The name of a program that never ends by itself.
    private let program: String

    /// A repository with the command, and with a package of which two of three functions are tested.
    init() throws {
        let id = UUID()
        tree = FileManager.default.temporaryDirectory.appending(path: "mutate-tests-\(id)")
        program = "program-\(id)"
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let scripts = tree.appending(path: "Scripts/Mutate")
        try FileManager.default.createDirectory(at: scripts, withIntermediateDirectories: true)
        for name in ["mutate", "swift"] {
            try FileManager.default.copyItem(
                at: package.appending(path: "../\(name)"), to: tree.appending(path: "Scripts/\(name)"))
        }
        for name in ["Package.swift", "Sources", "Tests"] {
            try FileManager.default.copyItem(
                at: package.appending(path: name), to: scripts.appending(path: name))
        }
        try write(
            "Tiny/Package.swift",
            """
            // swift-tools-version: 6.3
            import PackageDescription
            let package = Package(
                name: "Tiny", products: [.library(name: "Tiny", targets: ["Tiny"])],
                dependencies: [.package(path: "../Part")],
                targets: [
                    .target(name: "Tiny"), .testTarget(name: "TinyTests", dependencies: ["Part", "Tiny"]),
                ])
            """)
        // A package without tests of its own.
        try write(
            "Part/Package.swift",
            """
            // swift-tools-version: 6.3
            import PackageDescription
            let package = Package(
                name: "Part", products: [.library(name: "Part", targets: ["Part"])], targets: [.target(name: "Part")])
            """)
        try write(
            "Part/Sources/Part/Part.swift",
            "private let (names, empty) = ([String: String]?.none, String())\n\(Self.isEmpty(" == "))\n")
        try write(
            "Tiny/Sources/Tiny/Tiny.swift",
            """
            import Foundation
            func isSmall(_ number: Int) -> Bool { number < limit }
            func isEqual(_ a: Int, _ b: Int) -> Bool { a == b }
            func wait(while isOn: Bool) { while isOn && isRunning { rest() } }
            func later(than date: Date) -> Date { date + step }
            func check(_ number: Int) { if number > limit { end() } }
            """)
        try write(
            "Tiny/Sources/Tiny/Values.swift",
            """
            import Foundation
            let limit = [5].count * 5
            let isRunning = [5].isEmpty
            let step = [5.0].reduce(0, +)
            /// Waits for a program beside the tests, as the test of a command does.
            func rest() {
                let program = Process()
                program.executableURL = URL(filePath: "/bin/bash")
                let package = #filePath.replacing("/Sources/Tiny/Values.swift", with: "")
                program.arguments = ["-c", "exec -a '\\(package)/.build/\(program)' sleep 200"]
                try? program.run()
                program.waitUntilExit()
            }
            /// What the system does to a process that has used its processor time.
            func end() {
                kill(getpid(), SIGXCPU)
                while true { pause() }
            }
            """)
        try write(
            "Tiny/Tests/TinyTests/TinyTests.swift",
            """
            import Foundation
            import Part
            import Testing
            @testable import Tiny
            @Test func empty() { #expect(isEmpty("")) }
            @Test func small() { #expect(isSmall(5) == false && isSmall(4)) }
            @Test func waiting() { wait(while: true) }
            @Test func checked() { check(5) }
            @Test func time() { #expect(later(than: Date()) > Date()) }
            """)
        try write(
            "Package.swift",
            """
            // swift-tools-version: 6.3
            import PackageDescription
            let package = Package(
                name: "Root", dependencies: [.package(path: "Tiny")],
                targets: [.testTarget(name: "RootTests", dependencies: ["Tiny"])])
            """)
        try write(
            "Tests/RootTests/RootTests.swift",
            """
            import Testing
            @testable import Tiny
            @Test func equal() { #expect(isEqual(1, 1)) }
            """)
        try write(".gitignore", ".build\n")
        #expect(try run("git init --quiet && git add .").status == 0)
    }

    /// A comparison of which Swift has two forms, for values and for optionals.
    private static func isEmpty(_ operation: String) -> String {
        "public func isEmpty(_ text: String) -> Bool { text\(operation)(names.map { $0[text] } ?? empty) }"
    }

    private func write(_ path: String, _ text: String) throws {
        let file = tree.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private func run(_ command: String) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bash", "-c", "exec 2>&1; \(command)"]
        process.currentDirectoryURL = tree
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test("Changes that no test notices are reported, hung tests are ended, and the tree stays as it was")
    func report() throws {
        defer { try? FileManager.default.removeItem(at: tree) }
        let command = "Scripts/mutate Tiny --file Tiny.swift --limit 60"
        let run = try run(command)
        #expect(run.status == 1)
        func line(_ result: String, _ before: String, _ after: String, _ number: Int) -> Substring {
            "\(result): Tiny/Sources/Tiny/Tiny.swift: func \(before) -> func \(after) (line \(number))"
        }
        let lines = [
            "Tiny: 3 of 5 changes noticed (1 looped), of 5 possible ones",
            line(
                "hung", "wait(while isOn: Bool) { while isOn && isRunning { rest() } }",
                "wait(while isOn: Bool) { while isOn || isRunning { rest() } }", 4),
            line(
                "looped", "check(_ number: Int) { if number > limit { end() } }",
                "check(_ number: Int) { if number >= limit { end() } }", 6),
            line(
                "survived", "isEqual(_ a: Int, _ b: Int) -> Bool { a == b }",
                "isEqual(_ a: Int, _ b: Int) -> Bool { a != b }", 3),
        ]
        #expect(run.text.split(separator: "\n").sorted() == lines, "\(run.text)")
        // The brackets keep the command from finding itself.
        #expect(try self.run("pgrep -fl '[p]\(program.dropFirst())'").text == "")
        #expect(try self.run("git diff --stat; git ls-files --others --exclude-standard").text == "")
        try write("report.txt", run.text)
        let hung =
            "Tiny/Sources/Tiny/Tiny.swift: func wait(while isOn: Bool) { while isOn && isRunning { rest() } }"
            + " -> func wait(while isOn: Bool) { while isOn || isRunning { rest() } }  # an example\n"
        try write("Scripts/Mutate/equivalent.txt", hung)
        let again = "\(command) --root --again report.txt"
        let root = try self.run(again).text
        #expect(root.contains("1 of 1 changes noticed, of 1 possible ones"), "\(root)")
        try write(
            "Tests/RootTests/RootTests.swift", "import Testing\n@Test func no() { #expect(Bool(false)) }")
        let failedRoot = try self.run(again)
        #expect(
            failedRoot.status == 2 && failedRoot.text.contains("the tests of the root fail without a change"),
            "\(failedRoot.text)")
        try write(
            "Scripts/Mutate/equivalent.txt",
            "\(hung)Tiny/Sources/Tiny/Tiny.swift: func isEqual(_ a: Int, _ b: Int) -> Bool { a == b }"
                + " -> func isEqual(_ a: Int, _ b: Int) -> Bool { a != b }  # an example\n")
        let quick = try self.run("\(command) --quick --count 5").text
        #expect(quick.contains("2 of 2 changes noticed (1 looped), of 3 possible ones"), "\(quick)")
        let none = try self.run(again)
        #expect(none.status == 2 && none.text.contains("Tiny has no changes to judge"), "\(none.text)")
        let untested = try self.run("Scripts/mutate Part")
        #expect(untested.status == 2 && untested.text.contains("Part has no tests"), "\(untested.text)")
        let part = try self.run("Scripts/mutate Part --tests Tiny --file Part")
        #expect(part.status == 0 && part.text.contains("1 of 1 changes noticed"), "\(part.text)")
        let filtered = try self.run("Scripts/mutate Part --tests Tiny --filter small")
        #expect(filtered.status == 1 && filtered.text.contains("0 of 1 changes noticed"), "\(filtered.text)")
        let misspelt = try self.run("Scripts/mutate Part --tests Tiny --filter smell")
        #expect(misspelt.status == 2 && misspelt.text.contains("--filter finds none"), "\(misspelt.text)")
        try write(
            "Scripts/Mutate/equivalent.txt",
            "Part/Sources/Part/Part.swift: \(Self.isEmpty(" == ")) -> \(Self.isEmpty(" != "))  # an example\n"
        )
        let nothing = try self.run("Scripts/mutate Part --tests Tiny")
        #expect(nothing.status == 0 && nothing.text.contains("0 of 0 changes noticed"), "\(nothing.text)")
        try write("Scripts/Mutate/equivalent.txt", "")
        try write(
            "Part/Tests/PartTests/PartTests.swift",
            "import Part\nimport Testing\n@Test func full() { #expect(!isEmpty(\"a\")) }\n")
        try write(
            "Package.swift",
            """
            // swift-tools-version: 6.3
            import PackageDescription
            let package = Package(
                name: "Root", dependencies: [.package(path: "Part"), .package(path: "Tiny")],
                targets: [
                    .testTarget(name: "PartTests", dependencies: ["Part"], path: "Part/Tests/PartTests"),
                    .testTarget(name: "TinyTests", dependencies: ["Part", "Tiny"], path: "Tiny/Tests/TinyTests"),
                ])
            """)
        let several = try self.run("Scripts/mutate Tiny Part --file Part.swift")
        #expect(several.status == 0, "\(several.text)")
        for line in ["Tiny: 0 of 0 changes noticed", "Part: 1 of 1 changes noticed"] {
            #expect(several.text.contains(line), "\(several.text)")
        }
        // What a package's own tests miss, those of the root notice.
        try write(
            "Part/Tests/PartTests/PartTests.swift",
            "import Part\nimport Testing\n@Test func nothing() { _ = isEmpty(\"a\") }\n")
        let missed = try self.run("Scripts/mutate Tiny Part --file Part.swift")
        #expect(missed.status == 1 && missed.text.contains("Part: 0 of 1 changes noticed"), "\(missed.text)")
        let wide = try self.run("Scripts/mutate Tiny Part --file Part.swift --root")
        #expect(wide.status == 0 && wide.text.contains("Part: 1 of 1 changes noticed"), "\(wide.text)")
        for option in ["--tests", "--filter"] {
            let ambiguous = try self.run("Scripts/mutate Tiny Part \(option) Tiny")
            #expect(ambiguous.status == 2 && ambiguous.text.contains("\(option) needs one PACKAGE"))
        }
        try write(
            "Tiny/Tests/TinyTests/TinyTests.swift",
            "import Testing\n@Test func no() { #expect(Bool(false)) }")
        let failed = try self.run(command)
        #expect(failed.status == 2)
        #expect(failed.text.contains("the tests of Tiny fail without a change"), "\(failed.text)")
        for (option, message) in [("--count x", "--count needs a number"), ("--file", "--file needs a name")]
        {
            let wrong = try self.run("Scripts/mutate Tiny \(option)")
            #expect(wrong.status == 2 && wrong.text.contains(message), "\(wrong.text)")
        }
    }
}
