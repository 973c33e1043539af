import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

/// Runs `Scripts/swift` with a program in place of swift that prints its arguments and its environment.
@Suite("The script that starts swift with a steady environment")
struct SwiftScriptTests {
    private let tree: TemporaryTree

    init() throws {
        tree = try TemporaryTree()
        try tree.write(
            "bin/swift",
            "#!/bin/sh\nfor a in \"$@\"; do echo \"<$a>\"; done\n[ \"$1\" != fail ] || exit 7\nenv\n")
        try tree.run("chmod", "+x", "bin/swift")
    }

    private func start(_ variables: String, _ arguments: String) throws -> [String] {
        let script = HouseFiles.root.appending(path: "Scripts/swift").path
        let run = try tree.run("bash", "-c", "PATH=\"$PWD/bin:$PATH\" \(variables) '\(script)' \(arguments)")
        return run.split(separator: "\n").map(String.init)
    }

    @Test(
        "Variables that differ from terminal to terminal do not reach swift; the others, and all arguments, do"
    )
    func variables() throws {
        let lines = try start(
            "OLDPWD=/old WINDOWID=7 TERM_SESSION_ID=8 TOOLCHAINS='a b' https_proxy=p LC_ALL=C TEST_DEEP=1",
            "build '--package-path' 'a b' ''")
        #expect(lines.prefix(4) == ["<build>", "<--package-path>", "<a b>", "<>"])
        let names = lines.dropFirst(4).compactMap { $0.split(separator: "=").first.map(String.init) }
        #expect(!names.contains { ["OLDPWD", "WINDOWID", "TERM_SESSION_ID"].contains($0) })
        #expect(Set(names).isSuperset(of: ["PATH", "HOME"]))
        let kept = [
            "TOOLCHAINS=a b", "https_proxy=p", "LC_ALL=C", "TEST_DEEP=1", "SWIFT_DETERMINISTIC_HASHING=1",
        ]
        #expect(Set(lines).isSuperset(of: kept))
        #expect(try start("OLDPWD=/other WINDOWID=9", "") == start("OLDPWD=/old WINDOWID=7", ""))
    }

    @Test(
        "The variables by which CI says that it tests a pull request stay, so that its results are not stored"
    )
    func pullRequests() throws {
        let variables = [
            "GITHUB_EVENT_NAME=pull_request", "CI_MERGE_REQUEST_IID=1", "CI_EXTERNAL_PULL_REQUEST_IID=1",
            "BITBUCKET_PR_ID=1", "CIRRUS_PR=1", "CHANGE_ID=1", "SYSTEM_PULLREQUEST_PULLREQUESTID=1",
            "APPVEYOR_PULL_REQUEST_NUMBER=1", "CM_PULL_REQUEST=1", "SEMAPHORE_GIT_PR_NUMBER=1",
        ]
        #expect(Set(try start(variables.joined(separator: " "), "")).isSuperset(of: variables))
    }

    @Test("The exit status is that of swift")
    func status() throws {
        let text = try start("", "fail; echo status $?")
        #expect(text == ["<fail>", "status 7"])
    }
}
