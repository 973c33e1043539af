import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@Suite("The rename command")
struct RenameTests {
    @Test("After a release, a tree with a renamed pair is clean, and the change notes state the new name")
    func released() throws {
        let tool = try Tool()
        try tool.tree.git("tag", "v1")
        let output = try tool.run("rename", "ModuleB", "Greeter").text
        #expect(output.contains("Next: Raise the versions of the callers: Scripts/modules release --note"))
        let note = try tool.tree.read("Packages/Business/GreeterApi/CHANGELOG.md")
        #expect(note.hasPrefix("# Changelog\n\n## Unreleased\n\n- ModuleB is now called Greeter."), "\(note)")
        #expect(try tool.tree.read("VERSIONS.md").contains("\n| Greeter | "))
        for commit in [false, true] {
            if commit { try tool.tree.commit("Renamed") }
            let checked = try tool.run("check")
            #expect(
                checked.text.matches(of: /: version-raised:/).count == (commit ? 0 : 2), "\(checked.text)")
            if !commit {
                let released = try tool.run("release", "--note", "ModuleB is now called Greeter.")
                #expect(released.status == 0, "\(released.standardError)")
            }
        }
        #expect(try tool.run("check").status == 0)
    }

    @Test("Renaming a pair also updates its alternative, and an alternative can be renamed too")
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
                "is now called PurseDigital"))
        #expect(try tool.run("check", "pairs", "imports", "registration", "version-table").status == 0)
    }

    @Test("Only the pair's names change: similar names, other strings and other packages stay the same")
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
        // A library whose name begins with the pair's name, and a type that the library and the Api both declare.
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

    @Test(
        "The rename command lists the files that still mention the pair, even if a file is not UTF-8")
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
                && refused.standardError.contains("RideApi/CHANGELOG.md: this file cannot be read as UTF-8.")
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

    @Test("The rename command rejects a name that would break the tree, and changes nothing")
    func refused() throws {
        let tool = try Tool()
        try tool.tree.write("Packages/Business/PayType/Sources/PayType/X.swift", "struct FakeService {}\n")
        try tool.tree.commit("X")
        for (names, status, message) in [
            ("Nobody Trip", 2, "there is no pair named Nobody"), ("Ride trip", 2, "lower-case letter"),
            ("Ride TripApi", 2, "fix:  Leave out the suffix: Trip\n"), ("Ride Home", 2, "Home exists"),
            ("Ride RIDE", 2, "Ride exists"), ("Ride Foundation", 2, "standard module"),
            ("Ride Fake", 1, "FakeService already exists"),
        ] {
            let output = try tool.run(["rename"] + names.split(separator: " ").map(String.init))
            #expect(
                output.status == status && output.standardError.contains(message), "\(output.standardError)")
            #expect(try tool.tree.run("git", "status", "--porcelain") == "")
        }
    }

    @Test(
        "The rename command refuses symbolic links and uncommitted files, and moves resources; a dry run changes nothing"
    )
    func files() throws {
        let tool = try Tool()
        try tool.tree.write("Packages/Business/ModuleB/Sources/ModuleB/Resources/ModuleB.json", "{}")
        let refused = try tool.run("rename", "ModuleB", "Greeter")
        #expect(refused.status == 1 && refused.standardError.contains("Resources/ModuleB.json"))
        try tool.tree.run("chmod", "444", "Packages/Business/ModuleB/Sources/ModuleB/ModuleBService.swift")
        for (link, target) in [
            ("Packages/Business/ModuleB/Sources/ModuleB/Link.swift", "ModuleBService.swift"),
            ("Apps/Link", "../Packages/Business/ModuleBApi/Sources"),
        ] {
            try tool.tree.commit("Resources")
            try tool.tree.run("ln", "-s", target, link)
            try tool.tree.commit("Link")
            let linked = try tool.run("rename", "ModuleB", "Greeter")
            #expect(
                linked.status == 1 && linked.standardError.contains("\n  \(link)\n"),
                "\(linked.standardError)")
            try tool.tree.remove(link)
        }
        try tool.tree.commit("No links")
        let dry = try tool.run("rename", "ModuleB", "Greeter", "--dry-run")
        #expect(dry.text.contains("\n> Packages/Business/ModuleB -> Packages/Business/Greeter\n"))
        #expect(try tool.tree.run("git", "status", "--porcelain") == "")
        #expect(try tool.run("rename", "ModuleB", "Greeter").status == 0)
        let folder = tool.tree.root + "/Packages/Business/Greeter/Sources/Greeter"
        #expect(FileManager.default.fileExists(atPath: folder + "/Resources/Greeter.json"))
        #expect(
            !FileManager.default.isWritableFile(atPath: folder + "/GreeterService.swift") || getuid() == 0)
    }
}
