import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

/// Reads the data of the HTML page as the page's script does.
@Suite("The HTML page of the graph")
struct GraphPageTests {
    /// The package Kit with targets that depend on each other, and three other packages. Game uses Kit.
    static let files = [
        "Kit/Package.swift": """
        // swift-tools-version: 6.3
        import PackageDescription

        let package = Package(
            name: "Kit",
            products: [.library(name: "A", targets: ["A"])],
            targets: [
                .target(name: "A", dependencies: ["B", "C"]), .target(name: "B", dependencies: ["C"]),
                .target(name: "C"), .target(name: "D"), .target(name: "E"),
            ]
        )

        """,
        "Kit/Sources/A/A.swift": "", "Kit/Sources/B/B.swift": "", "Kit/Sources/C/C.swift": "",
        "Kit/Sources/D/D.swift": "", "Kit/Sources/E/E.swift": "",
        "Game/Package.swift": SmallTree.manifest("Game", packages: ["../Kit"], uses: ["A"]),
        "Game/Sources/Game/Game.swift": "import A\n",
        "Small/Package.swift": SmallTree.manifest("Small", uses: ["Tiny"]).replacing(
            "    targets: [", with: "    targets: [\n        .target(name: \"Tiny\"),"),
        "Small/Sources/Small/Small.swift": "import Tiny\n", "Small/Sources/Tiny/Tiny.swift": "",
        "Other/Package.swift": SmallTree.manifest("Other"), "Other/Sources/Other/Other.swift": "",
    ]

    struct Map: Decodable {
        struct Box: Decodable {
            let name, kind, layer: String, paths: [String], replaces: Int?, findings: [Int]?
        }
        struct Arrow: Decodable {
            let from, to: Int, kind: String, isWrong: Bool?, at: [String], findings: [Int]?
        }
        struct Band: Decodable { let name: String, apis: Int }
        struct Finding: Decodable { let rule, what: String }
        let boxes: [Box], arrows: [Arrow], bands: [Band], findings: [Finding]
        let packages: Int, omitted: [String]

        /// The arrows as sentences: "Journey calls Ride".
        func sentences(_ isChosen: (Arrow) -> Bool = { _ in true }) -> [String] {
            arrows.filter(isChosen).map { "\(boxes[$0.from].name) \($0.kind) \(boxes[$0.to].name)" }.sorted()
        }
        func names(_ kind: String) -> [String] { boxes.filter { $0.kind == kind }.map(\.name).sorted() }
    }

    private func map(of tool: Tool, _ options: String = "") throws -> Map {
        let page = try tool.expect("graph --format html\(options)")
        let json = try #require(try /application\/json">(.*?)<\/script>/.firstMatch(in: page)).1
        return try JSONDecoder().decode(Map.self, from: Data(json.utf8))
    }

    @Test("A pair is one box, with the callers of its Api and the dependencies of its IMP")
    func pairs() throws {
        let tool = try Tool(in: SmallTree.make())
        let map = try map(of: tool)
        #expect(map.names("pair") == ["Journey", "Ride"])
        #expect(map.names("library") == ["ApiCenter", "ErrorCode", "Lifecycle", "Mediator", "RideActions"])
        #expect(map.names("app") == ["App"])
        #expect(map.boxes.count == 8 && map.packages == 10 && map.findings.isEmpty)
        let ride = try #require(map.boxes.firstIndex { $0.name == "Ride" })
        #expect(map.boxes[ride].layer == "Business")
        #expect(map.boxes[ride].paths == ["Packages/Business/Ride", "Packages/Business/RideApi"])
        let app = map.names("app")[0]
        #expect(
            map.sentences { $0.to == ride }
                == ["\(app) calls Ride", "\(app) registers Ride", "Journey calls Ride"])
        #expect(map.sentences { $0.from == ride } == ["Ride uses ApiCenter", "Ride uses Lifecycle"])
        let call = try #require(
            map.arrows.first { $0.kind == "calls" && map.boxes[$0.from].name == "Journey" })
        #expect(call.at == ["Packages/Business/Journey/Sources/Journey/JourneyService.swift:4"])
        #expect(map.bands.map(\.name) == ["Apps", "Business", "Common", "Api", "Base", "Core"])
        #expect(map.bands.map(\.apis) == [0, 0, 0, 2, 0, 0])
    }

    @Test("An app that only links an Api does not call it, and fakes and previews are no calls")
    func links() throws {
        let tool = try Tool(in: SmallTree.make())
        try tool.tree.edit("Apps/Shell/Sources/Shell/Shell.swift", "import RideApi\n", "")
        let manifest = "Packages/Business/RideApi/Package.swift"
        try tool.tree.edit(
            manifest, "    targets: [", "    targets: [\n        .target(name: \"RideApiFakes\"),")
        try tool.tree.edit(
            manifest, "    products: [",
            "    products: [.library(name: \"RideApiFakes\", targets: [\"RideApiFakes\"]), ")
        try tool.tree.write("Packages/Business/RideApi/Sources/RideApiFakes/RideFake.swift", "")
        try tool.tree.write(
            "Packages/Common/ErrorCode/Sources/ErrorCode/Fakes.swift", "import RideApiFakes\n")
        let map = try map(of: tool)
        let ride = try #require(map.boxes.firstIndex { $0.name == "Ride" })
        #expect(
            map.sentences { $0.to == ride && $0.isWrong != true }
                == ["Journey calls Ride", "\(map.names("app")[0]) registers Ride"].sorted())
    }

    @Test("An alternative replaces the pair, and what it calls is its own")
    func alternatives() throws {
        let map = try map(of: Tool())
        let alternative = try #require(map.boxes.first { $0.kind == "alternative" })
        #expect(alternative.name == "PayTypeCashless")
        #expect(alternative.replaces.map { map.boxes[$0].name } == "PayType")
        let pay = try #require(map.boxes.firstIndex { $0.name == "PayType" })
        #expect(
            map.sentences { $0.to == pay && $0.kind != "registers" }
                == ["PayTypeCashless replaces PayType", "Ride calls PayType"])
        let counted = ["pair", "library", "app", "alternative"].map { map.names($0).count }
        #expect(counted.reduce(0, +) == map.boxes.count - map.names("target").count)
    }

    @Test("What breaks a rule or closes a cycle is marked, with its finding")
    func findings() throws {
        let tool = try Tool(in: SmallTree.make())
        try tool.tree.edit(
            "Packages/Business/Journey/Sources/Journey/JourneyService.swift", "import RideApi",
            "import RideApi\nimport Ride")
        try tool.tree.write("Packages/Core/ApiCenter/Sources/ApiCenter/Up.swift", "import Lifecycle\n")
        let map = try map(of: tool)
        #expect(
            map.sentences { $0.isWrong == true }
                == ["ApiCenter uses Lifecycle", "Journey uses Ride", "Lifecycle uses ApiCenter"])
        let use = try #require(
            map.arrows.first { $0.isWrong == true && map.boxes[$0.from].name == "Journey" })
        #expect(use.findings?.map { map.findings[$0].what } == ["Journey depends on the IMP Ride"])
        let box = try #require(map.boxes.first { $0.name == "Journey" })
        #expect(box.findings == use.findings)
        #expect(map.boxes.first { $0.name == "Mediator" }?.findings == nil)
        #expect(Set(map.findings.map(\.rule)).isSuperset(of: ["imp-hidden", "layer-order"]))
    }

    @Test("With a focus, the page shows a pair and its neighbours")
    func focus() throws {
        let map = try map(of: Tool(in: SmallTree.make()), " --focus Journey")
        #expect(map.names("pair") == ["Journey", "Ride"])
        #expect(map.names("library") == ["ApiCenter", "ErrorCode", "Lifecycle"])
    }

    @Test("The page is self-contained, and a name cannot end its script")
    func page() throws {
        let tree = try TemporaryTree([
            "<b> & \"c\"/Package.swift": SmallTree.manifest("X"), "<b> & \"c\"/Sources/X/X.swift": "",
            "Y/Package.swift": SmallTree.manifest("Y"), "Y/Sources/Y/Y.swift": "",
        ])
        let page = try Tool(in: tree).expect("graph --format html")
        for part in ["http:", "https:", "<link", "src=", "@import", "eval(", "innerHTML", "<b>"] {
            #expect(!page.contains(part), "\(part)")
        }
        #expect(page.contains("\\u003cb> & \\\"c\\\""))
        // The page has every element that the script looks up by identifier.
        for name in page.matches(of: /getElementById\('(\w+)'\)/).map(\.1) + [
            "search", "deep", "only", "save",
        ] {
            #expect(page.contains("id=\"\(name)\""), "\(name)")
        }
    }
}
