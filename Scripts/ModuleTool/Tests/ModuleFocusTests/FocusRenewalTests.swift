import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

@Suite("A focus that follows its tree")
struct FocusRenewalTests {
    private static let folder = ".modules/in-focus"

    @Test("A command that edits the tree renews the focus, and says why if it cannot")
    func renewed() throws {
        let tool = try Tool()
        try tool.expect("focus --all")
        func text() throws -> String { try tool.tree.read("\(Self.folder)/Package.swift") }
        try tool.expect("new-module Wallet --calls Ride")
        #expect(try text().contains("name: \"WalletTests\""))
        #expect(try compile(tool).status == 0)
        // A dry run writes nothing, not even this file.
        try tool.tree.remove("\(Self.folder)/made-from")
        try tool.expect("new-module Purse --dry-run")
        #expect(try !tool.tree.names(in: Self.folder).contains("made-from"))
        // Not a link any more.
        let place = "\(Self.folder)/Packages"
        try tool.tree.run("rm", place)
        try tool.tree.write(place + "/Mine.swift", "mine")
        try tool.expect(
            "new-module Purse", 0,
            "note: \(Self.folder) is outdated, because \(place) is not a link to the folder Packages of the tree",
            "  fix:  Delete \(Self.folder), and run Scripts/modules focus again.\n")
    }

    @Test("A focus continues without its removed pairs, and is deleted with the last one")
    func removed() throws {
        let tool = try Tool()
        for name in ["Purse", "Wallet"] { try tool.expect("new-module " + name) }
        try tool.tree.commit("Two pairs")
        try tool.expect("focus Wallet Purse --callers")
        try tool.expect(
            "remove Wallet", 0, "note: the focus continues without Wallet, which this tree no longer has\n")
        try tool.expect("focus", 0, "with the app and Purse.\n")
        #expect(
            try tool.tree.read("\(Self.folder)/Package.swift").contains(
                "// Made by: modules focus Purse --callers\n"))
        #expect(try compile(tool).status == 0)
        try tool.tree.commit("One pair")
        let fix = "fix:  Name a pair, or pass --all: Scripts/modules focus NAME\n"
        try tool.expect(
            "remove Purse", 0,
            "note: \(Self.folder) was deleted, because this tree no longer has Purse\n", "  " + fix)
        #expect(try !tool.tree.names(in: ".modules").contains("in-focus"))
        #expect(try tool.tree.names(in: "Packages/Business").contains("Ride"))
        try tool.expect("focus", 2, "no pairs were given", fix)
    }

    @Test("A focus survives a revision without its pairs")
    func otherRevision() throws {
        let tool = try Tool()
        try tool.expect("new-module Wallet")
        try tool.tree.commit("Wallet")
        try tool.expect("focus Wallet")
        try tool.tree.run("git", "checkout", "--quiet", "HEAD~1")
        for line in ["focus", "test --focus --list"] {
            try tool.expect(
                line, 2, "\(Self.folder): has no pairs any more, because this tree no longer has Wallet\n",
                "fix:  Name a pair, or pass --all: Scripts/modules focus NAME\n")
        }
        try tool.tree.run("git", "checkout", "--quiet", "-")
        try tool.expect("focus", 0, "with the app and Wallet.\n")
    }

    @Test("A focus waits for a command that edits the tree")
    func lock() throws {
        let tool = try Tool(in: SmallTree.make())
        try tool.expect("focus Ride")
        try tool.tree.remove("\(Self.folder)/made-from")
        var lock: FolderLock? = try FolderLock(tool.tree.url.appending(path: ".modules"), onWait: {})
        let (process, errors) = (Process(), Pipe())
        process.executableURL = URL(filePath: try Tool.path())
        process.arguments = ["focus", "--root", tool.tree.root, "--no-cache"]
        process.environment = Command.environment
        process.standardError = errors
        try process.run()
        // Ends with the process if the process does not wait.
        var text = ""
        while !text.contains("waiting for it...") {
            let data = errors.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        #expect(text.contains("note: another command is changing this tree; waiting for it..."))
        #expect(try !tool.tree.names(in: Self.folder).contains("made-from"))
        withExtendedLifetime(lock) {}
        lock = nil
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try tool.tree.names(in: Self.folder).contains("made-from"))
    }

    #if os(Linux)
    // On macOS, a manifest cannot write.
    @Test("A focus is outdated if a manifest has changed since it was read")
    func changedMeanwhile() throws {
        let tool = try Tool(in: SmallTree.make())
        let path = "Packages/Base/Mediator/Package.swift"
        try tool.tree.edit(
            path, "import PackageDescription\n",
            """
            import Foundation
            import PackageDescription

            // Not a manifest that SwiftPM has cached: \(UUID())
            let file = FileHandle(forWritingAtPath: #filePath)
            file?.seekToEndOfFile()
            file?.write(Data("// Changed\\n".utf8))

            """)
        let app = "        .package(path: \"Packages/Core/ApiCenter\"),\n"
        try tool.tree.edit(
            "Package.swift", app, app + "        .package(path: \"Packages/Base/Mediator\"),\n")
        try tool.expect("focus --all")
        #expect(try tool.tree.read(path).hasSuffix("// Changed\n"))
        #expect(try compile(tool).standardError.contains("has changed. Run: Scripts/modules focus"))
    }
    #endif

    @Test("Manifests for other Swift versions, and manifests that can select traits, are inputs of a focus")
    func inputs() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            "Packages/Core/ApiCenter/Package.swift", "    dependencies: [",
            "    traits: [\"Fast\"],\n    dependencies: [")
        let versioned = "Packages/Business/RideApi/Package@swift-6.0.swift"
        try tree.write(versioned, tree.read("Packages/Business/RideApi/Package.swift"))
        let tool = try Tool(in: tree)
        // Journey is not in this focus.
        for path in [versioned, "Packages/Business/Journey/Package.swift"] {
            try tool.expect("focus Ride")
            #expect(try compile(tool).status == 0)
            try tree.write(path, tree.read(path) + "// Changed\n")
            #expect(try compile(tool).standardError.contains("has changed"))
        }
    }

    private func compile(_ tool: Tool) throws -> Command.Output {
        try Command.run(
            ["clang", "-fsyntax-only", "\(Self.folder)/FocusIsCurrent/check.cpp"], in: tool.tree.root)
    }

    @Test("Without names, the focus command regenerates the last focus, and does not rewrite unchanged files")
    func again() throws {
        let tool = try Tool()
        try tool.expect("focus ModuleB --callers")
        let file = tool.tree.root + "/\(Self.folder)/Package.swift"
        func changed() throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        }
        let (text, date) = (try tool.tree.read("\(Self.folder)/Package.swift"), try changed())
        try tool.expect(
            "focus", 0, "with the app and ModuleA, ModuleB, ModuleC.\n",
            "\nNext: swift test --package-path \(Self.folder)\n",
            "\nNext: swift run --package-path \(Self.folder) Shell\n")
        #expect(try tool.tree.read("\(Self.folder)/Package.swift") == text)
        #expect(try changed() == date)
        try tool.tree.edit(
            "Package.swift", "name: \"Shell\",\n    platforms", "name: \"Renamed\",\n    platforms")
        try tool.run("focus")
        #expect(try tool.tree.read("\(Self.folder)/Package.swift").contains("name: \"Renamed\""))
        #expect(try tool.tree.run("git", "status", "--porcelain") == " M Package.swift\n")
    }

    @Test("A focus does not compile after a manifest, the configuration or the list of modules has changed")
    func stale() throws {
        let tool = try Tool()
        func compile() throws -> Command.Output { try self.compile(tool) }
        try tool.run("focus", "ModuleB", "--callers")
        let fresh = try compile()
        #expect(fresh.status == 0 && fresh.standardError == "", "\(fresh.standardError)")
        try tool.tree.write(
            "Packages/Business/ModuleA/Sources/ModuleA/ModuleAModule.swift", "// A source may change.\n")
        #expect(try compile().status == 0)
        for path in [
            "Package.swift", "Apps/Shell/Sources/AppModules/Registrations.swift", ".modules.yml",
            "Packages/Business/Home/Package.swift", "Packages/Base/Lifecycle/Package.swift",
        ] {
            try tool.tree.write(
                path, tool.tree.read(path) + (path.hasSuffix("yml") ? "#" : "//") + " Changed.\n")
            let stale = try compile()
            #expect(stale.status != 0, "\(path)")
            #expect(
                stale.standardError.contains(
                    "modules focus was interrupted, or a manifest, .modules.yml or the list of modules "
                        + "has changed. Run: Scripts/modules focus"))
            try tool.run("focus")
            #expect(try compile().status == 0)
        }
        // A first run was interrupted.
        try tool.tree.remove("\(Self.folder)/made-from")
        #expect(
            try compile().standardError.contains("If this file does not exist, run: Scripts/modules focus"))
    }
}
