import ModuleFixtures
import ModuleKit
import ModuleTree
import ModuleVersions
import Testing

@testable import ModuleEdits
@testable import ModuleScaffold

@Suite("Edits of Swift source")
struct SourceEditTests {
    static let manifest = """
        // let pairs = [ Pair("Business/Fake") ]
        let pairs = [
            // The first.
            Pair("Business/Ride"),  // Rides.
            // Pays.
            Pair("Common/User"),
        ]
        let other = ["Ride", "Packages/Business/RideApi", "x"]

        """

    @Test(
        "Adding or removing a pair keeps the list sorted, and leaves each comment beside its pair",
        arguments: [
            ("Business/Aaa", nil, ""), ("Business/Sss", nil, ""), ("Common/Zzz", nil, ""),
            ("Business/RideElectric", "Ride", ", alternativeTo: \"Ride\""),
        ])
    func pairs(path: String, base: String?, options: String) throws {
        var list = try PairList(Self.manifest)
        try list.add(folder: "Packages/" + path, alternativeTo: base)
        #expect(list.pairs.map(\.path) == (["Business/Ride", "Common/User"] + [path]).sorted())
        #expect(list.pairs.first { $0.path == path }?.alternativeTo == base)
        #expect(list.text.contains("Pair(\"\(path)\"\(options)),\n"))
        #expect(list.text.contains("    // Pays.\n    Pair(\"Common/User\"),\n") || path == "Business/Aaa")
        try list.remove(PathText.split(path).name)
        #expect(list.text == Self.manifest)
    }

    @Test("The list of modules names the alternatives, and the public constants of each enum XxxRoute")
    func registrations() throws {
        let tree = try SmallTree.make()
        try tree.write(
            "Packages/Business/JourneyApi/Sources/JourneyApi/JourneyRoute.swift",
            """
            public enum JourneyRoute {
                /// A comment with "text".
                public static let main = "journey_vc", seat = "journey/:seat"
                static let hidden = "x"
            }
            extension JourneyRoute {
                public static let row = seat + "/:row"
            }
            public enum JourneyNotification {
                public static let refresh = "JourneyRefresh"
            }

            """)
        let list = try PairList(
            "let pairs = [Pair(\"Business/Journey\"), Pair(\"Business/Ride\"), Pair(\"X/Tram\", alternativeTo: \"Ride\")]\n"
        )
        let read = try TreeReader(root: tree.root).read()
        var file = RegistrationsFile(
            list: list, routes: read.routes(of: list.pairs), configuration: .init())
        for part in [
            "import JourneyApi\nimport Lifecycle\nimport RideApi\n\n#if Journey",
            "= [\n        \"Journey\": [\n            JourneyRoute.main,\n            JourneyRoute.seat,\n"
                + "            JourneyRoute.row,\n        ],\n        \"Ride\": [RideRoute.main],\n    ]\n",
            "String] = [\n        \"Tram\": \"Ride\"\n    ]\n",
        ] {
            #expect(file.text.contains(part), "\(file.text)")
        }
        file.routes = [:]
        #expect(file.text.contains("[String: [String]] = [:]\n"))
    }

    @Test("Mentions of a package in the root manifest are found, except in the list of pairs")
    func names() throws {
        #expect(try PairList(Self.manifest).lines(naming: ["Ride", "RideApi"]) == [8])
    }

    @Test(
        "A shared trait is rejected if it has a pair's name, or if one of its pairs is or has an alternative",
        arguments: [
            ("A\", trait: \"T", "B\", trait: \"T", true), ("A\", trait: \"B", "B", false),
            ("A\", trait: \"my-T", "B", false), ("A\", trait: \"T", "B\", alternativeTo: \"A", false),
            ("A", "B\", alternativeTo: \"A\", trait: \"T", false),
        ])
    func sharedTraits(first: String, second: String, isValid: Bool) throws {
        let list = try? PairList("let pairs = [\n    Pair(\"X/\(first)\"),\n    Pair(\"X/\(second)\"),\n]\n")
        #expect((list != nil) == isValid)
        if let list { #expect(list.pairs.map(\.condition) == ["T || A", "T || B"]) }
    }

    @Test("An app has at most 299 pairs with their own traits, because SwiftPM accepts no more traits")
    func mostTraits() throws {
        let lines = (1...299).map { "    Pair(\"X/P\($0)\"),\n" }.joined()
        var list = try PairList("let pairs = [\n\(lines)]\n")
        let error = #expect(throws: Diagnostic.self) { try list.add(folder: "Packages/X/Q") }
        #expect(error?.what.contains("more than 299 pairs") == true)
        list = try PairList("let pairs = [\n\(lines)]\n".replacing("P1\"", with: "P1\", trait: \"T\""))
        try list.add(folder: "Packages/X/Q", trait: "T")
    }

    @Test(
        "A list of pairs is rejected unless each element is a literal pair with a name of its own",
        arguments: [
            "let x = 1\n", "let pairs = names\n", "let pairs = [\n    Pair(name),\n]\n",
            "let pairs = [\n    Other(\"a/B\"),\n]\n", "let pairs = [\n    Pair(\"a/B\", on: true),\n]\n",
            "let pairs = [\n    Pair(\"a/B\", on: \"x\"),\n]\n",
            "let pairs = [\n    Pair(\"a/B\"),\n    Pair(\"c/B\"),\n]\n",
            "let pairs = [\n    Pair(\"a/b-c\"),\n]\n",
        ])
    func malformed(manifest: String) {
        let error = #expect(throws: Diagnostic.self) { try PairList(manifest) }
        #expect(error?.place.description.hasPrefix("Package.swift:") == true)
    }

    @Test(
        "Only the module type's version is rewritten, and other versions in the file stay unchanged",
        arguments: [
            "let version: String = \"1.0.0\"", "var version: String { \"1.0.0\" }",
            "let name = \"1.0.0\", version = \"1.0.0\"", "var version: String { get { return \"1.0.0\" } }",
        ])
    func version(member: String) throws {
        let tree = try SmallTree.make()
        let (path, start) = (
            "Packages/Business/Ride/Sources/Ride/RideModule.swift",
            "// version = \"1.0.0\"\r\nstruct Other { let version = \"1.0.0\" }\n/* é */ public struct RideModule: Module { "
        )
        let end = "  // \"1.0.0\"\n}\n"
        try tree.write(path, start + member + end)
        let imp = try #require(try TreeReader(root: tree.root).read().package("Ride"))
        let literal = try #require(imp.versionLiterals.first)
        #expect(imp.versionLiterals.count == 1 && literal.text == "1.0.0")
        let new = member.dropLast(member.hasSuffix(" } }") ? 11 : member.hasSuffix(" }") ? 9 : 7)
        #expect(
            try tree.read(path).replacing(literal, with: SemanticVersion(2, 0, 0))
                == start + new + "\"2.0.0\"" + member.dropFirst(new.count + 7) + end)
    }
}
