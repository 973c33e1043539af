import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@Suite(
    "The rename command, in builds and on many pairs",
    .enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep"))
struct RenameDeepTests {
    /// A pair with callers, one with an alternative, one that is called in other processes, one with a package of
    /// requests, one of another layer, and one whose name is part of other names.
    static let pairs = ["ModuleA", "PayType", "Gate", "Ride", "User", "Home"]

    private func contents(_ tool: Tool) throws -> [String: String] {
        try tool.tree.files().filter { !$0.key.hasSuffix("/CHANGELOG.md") }
    }

    @Test(
        "A renamed pair of this repository breaks no rule, and renaming it back restores the tree",
        arguments: pairs)
    func everyPair(name: String) throws {
        let tool = try Tool()
        let before = try contents(tool)
        // A name of the same length, so that no line has to be wrapped.
        let new = "Xy" + name.dropFirst(2)
        let output = try tool.run("rename", name, new)
        #expect(output.status == 0, "\(output.standardError)")
        let checked = try tool.run("check", "pairs", "layers", "imports", "registration", "version-table")
        #expect(checked.status == 0, "\(checked.text)")
        let after = try contents(tool)
        let old = try Regex("\\b\(name)(Api|Module|Service|Tests|ApiProtocol)\\b|import \(name)\\b")
        for (path, text) in after
        where path.hasPrefix("Packages/Business") || path.hasPrefix("Packages/Common") {
            #expect(try old.firstMatch(in: path + text) == nil, "\(path)")
        }
        try tool.tree.commit("Renamed")
        #expect(try tool.run("rename", new, name).status == 0)
        let back = try contents(tool)
        for path in Set(before.keys).union(back.keys) { #expect(before[path] == back[path], "\(path)") }
    }

    @Test(
        "The tests of a renamed pair and of a caller pass, and the app builds with both",
        arguments: [("ModuleB", "Greeter")])
    func builds(name: String, new: String) throws {
        let tool = try Tool()
        #expect(try tool.run("rename", name, new).status == 0)
        for command in [
            "swift test --package-path Packages/Business/\(new)",
            "swift test --package-path Packages/Business/ModuleA",
            "swift run --disable-default-traits --traits ModuleA,\(new) Shell --data .data",
        ] {
            let output = try tool.attempt(command)
            #expect(output.status == 0, "\(command)\n\(output.text)\(output.standardError)")
            #expect(!output.text.contains("\(new)Api (absent)"))
        }
    }

    @Test("An alternative follows the pair whose Api it implements, and can be renamed itself")
    func alternatives() throws {
        let tool = try Tool()
        try tool.run("rename", "PayType", "Purse")
        let manifest = try tool.tree.read("Package.swift")
        #expect(manifest.contains("    Pair(\"Business/PayTypeCashless\", alternativeTo: \"Purse\"),\n"))
        #expect(try tool.tree.read("VERSIONS.md").contains("| PayTypeCashless | Purse | "))
        try tool.tree.commit("Purse")
        try tool.run("rename", "PayTypeCashless", "PurseDigital")
        #expect(try tool.tree.read("VERSIONS.md").contains("| PurseDigital | Purse | "))
        #expect(
            try tool.tree.read("Packages/Business/PurseApi/CHANGELOG.md").contains(
                "is called PurseDigital now"))
        #expect(try tool.run("check", "pairs", "imports", "registration", "version-table").status == 0)
    }

    @Test("Only the pair's names change: similar names, other strings and other packages stay")
    func similarNames() throws {
        let tool = try Tool()
        let file = "Packages/Business/Home/Sources/Home/Similar.swift"
        let (before, after) = (Self.similar, Self.similarAfter)
        try tool.tree.write(file, before)
        let manifest = "Packages/Business/Home/Package.swift"
        try tool.tree.edit(
            manifest, "        .package(path: \"../HomeApi\"),\n",
            """
                    .package(path: "../HomeApi"),
                    .package(path: "../RideApi"),

            """)
        try tool.tree.write(
            "Packages/Business/Home/README.md",
            "[Ride](../Ride/Package.swift), [RideCode](../../Common/RideCode/Package.swift): Ride opens gates.\n"
        )
        try tool.tree.write(
            "Packages/Base/Digests/NOTES.md",
            "Ride: [Ride](../../Business/Ride/Sources/Ride/RideModule.swift)\n")
        // A library whose name begins with the pair's, and that has a type of the same name as the Api.
        try tool.tree.write(
            "Packages/Common/RideCode/Package.swift",
            try tool.tree.read("Packages/Common/ErrorCode/Package.swift").replacing(
                "ErrorCode", with: "RideCode"))
        try tool.tree.write(
            "Packages/Common/RideCode/Sources/RideCode/RideCodeError.swift",
            "public struct RideCodeError {}\n")
        try tool.tree.write(
            "Packages/Business/RideApi/Sources/RideApi/RideCodeError.swift",
            "public struct RideCodeError {}\n")
        let other = (
            "Packages/Business/Home/Sources/Home/Other.swift",
            "import RideCode\n\nlet type = RideCodeError.self\n"
        )
        try tool.tree.write(other.0, other.1)
        try tool.tree.commit("Similar")
        let output = try tool.run("rename", "Ride", "Trip")
        #expect(output.status == 0, "\(output.standardError)")
        #expect(try tool.tree.read(file) == after)
        #expect(try tool.tree.read(other.0) == other.1)
        #expect(
            try tool.tree.read("Packages/Business/Home/README.md")
                == "[Trip](../Trip/Package.swift), [RideCode](../../Common/RideCode/Package.swift): Trip opens gates.\n"
        )
        #expect(
            try tool.tree.read("Packages/Base/Digests/NOTES.md")
                == "Ride: [Ride](../../Business/Trip/Sources/Trip/TripModule.swift)\n")
        #expect(output.text.contains("Home/Sources/Home/Similar.swift:"))
        #expect(try tool.tree.run("git", "diff", "--name-only", "Packages/Common/RideCode") == "")
    }

    @Test("rename lists the files that still mention the pair, among them a document in another encoding")
    func mentions() throws {
        let tool = try Tool()
        func latin(_ path: String) throws -> Data {
            let data = Data("ModuleB sagt Gr\u{FC}\u{DF}e.\n".unicodeScalars.map { UInt8($0.value) })
            try data.write(to: URL(filePath: tool.tree.root + "/Packages/Business/" + path))
            return data
        }
        let other = "Packages/Base/Lifecycle/Tests/LifecycleTests/ModuleBModule.swift"
        let own = "Packages/Business/ModuleB/Sources/ModuleB/"
        try tool.tree.write(other, "// ModuleB\n")
        try tool.tree.write(
            own + "ModuleBTexts.swift", "let first = \"to ModuleB\"\nlet second = \"ModuleB\"\n")
        let notes = try latin("ModuleB/NOTES.md")
        try tool.tree.commit("Mentions")
        let output = try tool.run("rename", "ModuleB", "Greeter")
        #expect(output.status == 0, "\(output.standardError)")
        let folder = "Packages/Business/Greeter/"
        #expect(FileManager.default.contents(atPath: "\(tool.tree.root)/\(folder)NOTES.md") == notes)
        let line = try #require(
            output.text.split(separator: "\n").first { $0.contains("still mention ModuleB: ") })
        let files = try #require(line.split(separator: ": ").last).split(separator: ", ").map(String.init)
        for file in [other, folder + "Sources/Greeter/ModuleBTexts.swift", folder + "NOTES.md"] {
            #expect(files.contains(file), "\(output.text)")
        }
        for file in files {
            #expect(FileManager.default.fileExists(atPath: tool.tree.root + "/" + file), "\(file)")
        }
        #expect(output.text.contains(" Packages/Business/Greeter/Sources/Greeter/ModuleBTexts.swift:2"))
        _ = try latin("RideApi/CHANGELOG.md")
        try tool.tree.commit("Latin")
        let refused = try tool.run("rename", "Ride", "Trip")
        #expect(
            refused.status == 2
                && refused.standardError.contains("RideApi/CHANGELOG.md: this file is not readable as UTF-8.")
        )
    }

    private static let similar = """
        import RideApi

        // Ride opens gates, and RideApi's RideApiProtocol says how. Rides, RideCode and User-Ride are other words.
        #if Ride && canImport(Ride)
        let one = RideApi.RideRoute.main, type = "Ride.RideModule"
        #endif
        struct Caller { private var rideApi: (any RideApiProtocol)?; func call() { _ = self.rideApi } }
        let texts = ["Ride", "RideApi", "Ride to the sea", "https://x/Ride", "Packages/Business/Ride/Package.swift"]
        let more = "\\(texts[0]) RideApiProtocol Ride"
        struct RideCode { let error: RideCodeError }
        enum Kind { case bus, RideRoute }
        let kind = Kind.RideRoute

        """

    private static let similarAfter = similar.replacing("import RideApi", with: "import TripApi")
        .replacing(
            "// Ride opens gates, and RideApi's RideApiProtocol",
            with: "// Trip opens gates, and TripApi's TripApiProtocol"
        )
        .replacing("#if Ride && canImport(Ride)", with: "#if Trip && canImport(Trip)")
        .replacing("RideApi.RideRoute", with: "TripApi.TripRoute")
        .replacing("Ride.RideModule", with: "Trip.TripModule").replacing("rideApi", with: "tripApi")
        .replacing("[\"Ride\", \"RideApi\"", with: "[\"Trip\", \"TripApi\"")
        .replacing("Business/Ride/", with: "Business/Trip/")
        .replacing("RideApiProtocol Ride\"", with: "TripApiProtocol Ride\"")
        .replacing("(any RideApiProtocol)", with: "(any TripApiProtocol)")
        .replacing("RideCodeError", with: "TripCodeError")
}
