import ModuleTree
import Testing

@testable import ModuleEdits

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
            "Business/Aaa", "Business/Sss", "Common/Zzz",
        ])
    func pairs(path: String) throws {
        var list = try PairList(Self.manifest)
        #expect(list.pairs.map(\.path) == ["Business/Ride", "Common/User"])
        try list.add(folder: "Packages/" + path)
        #expect(list.pairs.map(\.path) == (["Business/Ride", "Common/User"] + [path]).sorted())
        #expect(list.text.contains("    // Pays.\n    Pair(\"Common/User\"),\n") || path == "Business/Aaa")
        try list.remove(String(path.suffix(3)))
        #expect(list.text == Self.manifest)
    }

    @Test("The routes of an Api are the static constants of its XxxRoute enum, except numbers")
    func routes() throws {
        let source = """
            public enum RideRoute {
                /// A comment with "text".
                public static let main = "ride_vc", seat = "ride/:seat"
                public static let count = 3
                public let member = "x"
            }
            extension RideRoute {
                public static let row = seat + "/:row"
            }
            public enum RideNotification {
                public static let refresh = "RideRefresh"
            }

            """
        #expect(
            try RouteNames.inSource(source, of: "Ride") == [
                "RideRoute.main", "RideRoute.seat", "RideRoute.row",
            ])
        #expect(try RouteNames.inSource(source, of: "Journey") == [])
        let pairs = try PairList(Self.manifest).pairs
        var file = RegistrationsFile(
            pairs: pairs, routes: ["Ride": ["RideRoute.main"]], configuration: .init())
        let one = file.text(manifest: "Package.swift")
        #expect(one.contains("import Lifecycle\nimport RideApi\n\n#if Ride"))
        #expect(one.contains("= [\n        \"Ride\": [RideRoute.main],\n    ]\n"))
        file.routes = [:]
        #expect(file.text(manifest: "Package.swift").contains("[String: [String]] = [:]\n"))
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

    @Test("An alternative IMP can be added to the list of pairs and read back")
    func alternatives() throws {
        var list = try PairList(Self.manifest)
        try list.add(folder: "Packages/Business/RideElectric", alternativeTo: "Ride")
        #expect(list.pairs[1].alternativeTo == "Ride")
        let registrations = RegistrationsFile(pairs: list.pairs, configuration: .init()).text(manifest: "")
        #expect(registrations.contains("String] = [\n        \"RideElectric\": \"Ride\"\n    ]\n"))
        #expect(list.text.contains("    Pair(\"Business/RideElectric\", alternativeTo: \"Ride\"),\n"))
    }

    @Test(
        "A list of pairs is rejected unless each element is a literal pair with a name of its own",
        arguments: [
            "let x = 1\n", "let pairs = names\n",
            "let pairs = [\n    Pair(name),\n]\n", "let pairs = [\n    Other(\"a/B\"),\n]\n",
            "let pairs = [\n    Pair(\"a/B\", on: true),\n]\n",
            "let pairs = [\n    Pair(\"a/B\"),\n    Pair(\"c/B\"),\n]\n",
            "let pairs = [\n    Pair(\"a/b-c\"),\n]\n",
        ])
    func malformed(manifest: String) {
        let error = #expect(throws: Diagnostic.self) { try PairList(manifest) }
        #expect(error?.place.description.hasPrefix("Package.swift:") == true)
    }

    @Test("Only the module type's version is rewritten, and other versions in the file stay unchanged")
    func version() throws {
        let text = """
            // version = "1.0.0"
            struct Other { let version = "1.0.0" }
            /* é */ public struct RideModule: Module { // "1.0.0"
                public let name = "1.0.0", x = 1
                public let version: String = "1.0.0"  // stays
            }

            """
        let edit = try #require(ModuleVersionEdit(text, type: "RideModule"))
        #expect((edit.version, edit.line) == ("1.0.0", 5))
        #expect(
            edit.replaced(by: "2.0.0") == text.replacing(": String = \"1.0.0\"", with: ": String = \"2.0.0\"")
        )
        for body in ["\"1.0.0\"", "return \"1.0.0\"", "get { \"1.0.0\" }"] {
            let computed = "struct RideModule { var version: String { \(body) } }"
            #expect(ModuleVersionEdit(computed, type: "RideModule")?.version == "1.0.0", "\(body)")
        }
        #expect(ModuleVersionEdit(text, type: "WalkModule") == nil)
        #expect(ModuleVersionEdit("struct RideModule { let version = one }", type: "RideModule") == nil)
    }
}
