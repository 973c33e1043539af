import Foundation
import ModuleFixtures
import ModuleTree
import Testing
import ToolFixtures

private let hasNode = (try? Command.run(["node", "--version"], in: "/"))?.status == 0

/// Runs the script of the HTML page in node, if node is installed.
@Suite("The HTML page of the graph", .enabled(if: hasNode, "needs node"))
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

    /// Runs JavaScript code after the script of a tree's HTML page. `text()` returns the text of the page's bands.
    private func run(_ lines: String, on tool: Tool) throws -> [String] {
        let page = try tool.expect("graph --format html")
        let output = try Command.run(
            ["node", "-e", Self.browser, "--", lines], in: "/", input: Data(page.utf8))
        try #require(output.status == 0, "\(output.standardError)")
        return output.text.split(separator: "\n").map(String.init)
    }

    @Test("Packages fold and unfold, and a tree without layers is arranged by its dependencies")
    func folding() throws {
        let tool = try Tool(in: TemporaryTree(Self.files))
        let open = [
            "Level 3: [Game]", "Level 2: [− Kit | A]", "Level 1: [− Kit | B]",
            "Level 0: [Other] [Small | +2] [− Kit | C | D | E]",
        ]
        #expect(try run("console.log(text())", on: tool) == open)
        let folded = ["Level 1: [Game]", "Level 0: [Kit | +5] [Other] [Small | +2]"]
        #expect(try run("press('− Kit'); console.log(text())", on: tool) == folded)
        #expect(try run("press('− Kit'); press('+5'); console.log(text())", on: tool) == open)
        // A target of a folded package is found by its name.
        let search =
            "search.value = 'tin'; search.onkeydown({ key: 'Enter' }); console.log(text()); console.log(panel.textContent)"
        let found = try run(search, on: tool)
        #expect(found.contains("Level 0: [Other] [− Kit | C | D | E] [− Small | Tiny]"))
        #expect(
            found.last?.hasPrefix("Tinytarget of Small · Small · regularCalls (0)Called by (1)Small")
                ?? false, "\(found)")
    }

    @Test("The page lists the findings of the chosen package, and links to their packages")
    func findings() throws {
        let tool = try Tool(in: SmallTree.make())
        let file = "Packages/Business/Journey/Sources/Journey/JourneyService.swift"
        try tool.tree.edit(file, "import RideApi", "import RideApi\nimport Ride")
        let lines = ["Journey", "Mediator"].map { name in
            "choose(nodes.findIndex(node => node.name === '\(name)')); console.log(panel.textContent);"
        }
        let text = try run(
            lines.joined() + "console.log([...bad].map(index => nodes[index].name).join())", on: tool)
        #expect(
            text[0].contains("Findings (1)Journey depends on the IMP Rideimp-hidden · \(file):5"), "\(text)")
        #expect(!text[1].contains("Findings") && text[2] == "Journey,Ride", "\(text)")
    }

    /// A minimal imitation of the browser objects that the script uses. It reads the page from standard input.
    private static let browser = #"""
        class ClassList extends Set {
          contains(name) { return this.has(name); }
          toggle(name, isOn) { if (isOn) this.add(name); else this.delete(name); }
        }
        class Element {
          constructor(tag) {
            Object.assign(this, { tag, children: [], classList: new ClassList(), text: '', value: '' });
          }
          set className(names) { names.split(' ').forEach(name => this.classList.add(name)); }
          set textContent(text) { this.text = text; }
          get textContent() { return this.text + this.children.map(child => child.textContent ?? child).join(''); }
          append(...parts) { this.children.push(...parts.flatMap(part => part.tag === '#' ? part.children : [part])); }
          replaceChildren() { this.children = []; }
          get all() { return this.children.flatMap(child => child.tag ? [child, ...child.all] : []); }
          querySelectorAll(selector) { return this.all.filter(child => child.classList.contains(selector.slice(1))); }
          querySelector() { return this.all.find(child => child.tag === 'button' && !child.classList.contains('dim')); }
          getBoundingClientRect() { return { left: 0, top: 0, width: 1, bottom: 1 }; }
          setAttribute() {}
          scrollIntoView() {}
          blur() {}
        }
        const elements = new Map();
        globalThis.document = {
          getElementById(id) { if (!elements.has(id)) elements.set(id, new Element(id)); return elements.get(id); },
          createElement: tag => new Element(tag), createDocumentFragment: () => new Element('#'),
        };
        globalThis.history = { replaceState() {} };
        globalThis.location = { hash: '', pathname: '' };
        globalThis.addEventListener = () => {};
        const page = require('fs').readFileSync(0, 'utf8');
        document.getElementById('data').textContent = /application\/json">(.*?)<\/script>/s.exec(page)[1];
        const script = page.split('<script>').pop().split('</script>')[0] + `
          const text = () => bands.children.map(band => band.children[0].text + ': ' + band.children[1].children
            .map(card => '[' + card.children.map(child => child.text).join(' | ') + ']').join(' ')).join('\\n');
          const press = text => bands.all.find(element => element.text === text).onclick();
        `;
        new Function(script + process.argv[1])();
        """#
}
