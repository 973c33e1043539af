import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

private let hasNode = (try? Command.run(["node", "--version"], in: "/"))?.status == 0

/// Runs the part of the page's script that needs no browser in node, if node is installed. Scripts/BrowserWalk/graph.py
/// uses the page in a browser.
@Suite("The layout of the graph's page", .enabled(if: hasNode, "needs node"))
struct GraphLayoutTests {
    /// Runs JavaScript code after the script that arranges a tree's boxes, and returns the lines that it prints.
    private func run(_ lines: String, on tool: Tool) throws -> [String] {
        let page = try tool.expect("graph --format html")
        let output = try Command.run(
            ["node", "-e", Self.start, "--", lines], in: "/", input: Data(page.utf8))
        try #require(output.status == 0, "\(output.standardError)")
        return output.text.split(separator: "\n").map(String.init)
    }

    @Test("A package is drawn as its targets or as one box, and callers stand above what they use")
    func folding() throws {
        let tool = try Tool(in: TemporaryTree(GraphPageTests.files))
        let open = ["Game, Small", "A, D", "B, E", "C, Other"]
        #expect(try run("print()", on: tool) == open)
        let folded = ["Game, Small", "Kit, Other"]
        #expect(try run("open.delete(find('Kit')); print()", on: tool) == folded)
        #expect(
            try run("open.add(find('Small')); print()", on: tool) == [
                "Game, Small (Small)", "A, Tiny", "B, D, Other", "C, E",
            ])
        #expect(try run("console.log(counts(now().seen).join())", on: tool) == ["3 packages,5 targets"])
        // Game uses a target of Kit.
        #expect(
            try run("open.delete(find('Kit')); console.log(JSON.stringify(now().lines.map(ends)))", on: tool)
                == [#"[["Game","Kit"]]"#])
    }

    @Test("Lines between layers are bundled, except calls of pairs and what breaks a rule")
    func bundles() throws {
        let tool = try Tool(in: SmallTree.make())
        try tool.tree.write("Packages/Core/ApiCenter/Sources/ApiCenter/Up.swift", "import Lifecycle\n")
        let text = try run(
            "console.log(now().lines.map(ends).map(pair => pair.join('>')).sort().join()); "
                + "for (const {layer, isRegistering, count, from} of now().bundles) "
                + "console.log(layer, isRegistering, count, [...from.keys()].join())", on: tool)
        #expect(text[0] == "ApiCenter>Lifecycle,Journey>Ride,Lifecycle>ApiCenter")
        #expect(
            Set(text.dropFirst()) == [
                "Business true 2 Apps", "Business false 2 Apps", "Core false 3 Apps,Business",
                "Base false 4 Apps,Business,Common", "Common false 1 Business",
            ], "\(text)")
        #expect(try run("console.log(verdict())", on: tool) == ["1 finding"])
    }

    @Test("Boxes do not overlap, and lines pass between them, in circles and at any width")
    func geometry() throws {
        let names = (0..<40).map { "M\($0)" }
        var files = [".modules.yml": "# The layers of this repository.\n"]
        for (index, name) in names.enumerated() {
            let calls = Set([index * 7 + 3, index * 11 + 5, index / 2].map { names[$0 % 40] }).subtracting([
                name
            ]).sorted()
            let apis = ([name] + calls).map { "\($0)Api" }
            files["Packages/Business/\(name)/Package.swift"] = SmallTree.manifest(
                name, packages: apis.map { "../\($0)" }, uses: apis)
            files["Packages/Business/\(name)Api/Package.swift"] = SmallTree.manifest("\(name)Api")
        }
        let tool = try Tool(in: TemporaryTree(files))
        #expect(
            try run(
                "for (const width of [300, 700, 1400]) check(width); console.log(now().seen.length)", on: tool
            ) == ["40"])
        // Every line is part of a circle or follows from none, so the reduction leaves a path wherever it leaves out a line.
        let reduction = """
            const all = combined(), few = reduced(all), next = neighbours(few, true);
            for (const {from, to} of all) if (!reach(from, next, true).has(to)) throw new Error(`${from} ${to}`);
            console.log(few.length > 0)
            """
        #expect(try run(reduction, on: tool) == ["true"])
    }

    private static let start = #"""
        const page = require('fs').readFileSync(0, 'utf8');
        const data = /application\/json">(.*?)<\/script>/s.exec(page)[1];
        globalThis.document = { getElementById: () => ({ textContent: data }) };
        const script = page.split('<script>').pop().split('// Draws the map as SVG.')[0] + `
          const find = name => boxes.findIndex(box => box.name === name);
          const ends = ({ from, to }) => [boxes[from].name, boxes[to].name];
          const now = () => view([...boxes.keys()].filter(index => drawn(index) === index), combined());
          const plan = width => layout(now(), width,
            { top: 30, space: 800, heading: () => 40, measure: index => 7 * boxes[index].name.length });
          function print() {
            const rows = [];
            for (const [index, { row }] of plan(1200).places) (rows[row] ??= []).push(boxes[index].name);
            for (const row of rows) console.log(row.sort().join(', '));
          }
          function check(width) {
            const made = plan(width), all = [...made.places.values()];
            const fail = text => { throw new Error(width + ': ' + text); };
            for (const row of made.rows) row.boxes.forEach((box, i) => {
              if (!(box.x >= made.left && box.x + box.width <= width)) fail('outside');
              if (i && box.x < row.boxes[i - 1].x + row.boxes[i - 1].width) fail('overlap');
            });
            const paths = routes(made, now().lines);
            if (paths.length === 0) fail('no lines');
            for (const { d, line } of paths) {
              if (/NaN|undefined/.test(d)) fail(d);
              // A line is upright at each row between its ends.
              for (const [, x, y] of d.matchAll(/C[-\\d.]+,[-\\d.]+ [-\\d.]+,[-\\d.]+ ([-\\d.]+),[-\\d.]+V([-\\d.]+)/g)) {
                const row = made.rows.find(({ top, bottom }) => y > top - 5 && y < bottom + 5);
                if (row.boxes.some(box => x > box.x && x < box.x + box.width)) fail('through a box: ' + ends(line));
              }
            }
          }
        `;
        new Function(script + process.argv[1])();
        """#
}
