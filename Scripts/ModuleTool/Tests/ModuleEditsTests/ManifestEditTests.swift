import ModuleTree
import Testing

@testable import ModuleEdits

@Suite("Edits of manifests")
struct ManifestEditTests {
    /// A manifest whose package has these lines as its arguments.
    private static func manifest(_ lines: String) -> String {
        "import PackageDescription\n\nlet package = Package(\n    name: \"A\",\n\(lines)\n)\n"
    }

    private func edit(_ lines: String, _ change: (inout ManifestSource) -> Void) throws -> String? {
        var edit = try ManifestSource(Self.manifest(lines), in: "/A")
        change(&edit)
        return edit.edits.isEmpty ? nil : edit.text
    }

    @Test(
        "A dependency is inserted at its sorted position, and follows the layout of the list",
        arguments: [
            ("[\"B\", \"D\"]", "[\"B\", \"C\", \"D\", \"E\"]"),
            ("[\"D\"]", "[\"C\", \"D\", \"E\"]"),
            ("[\"A\", \"B\"]", "[\"A\", \"B\", \"C\", \"E\"]"),
            // New dependencies are appended to an unsorted list.
            ("[\"X\", \"B\"]", "[\"X\", \"B\", \"C\", \"E\"]"),
            ("[]", "[\"C\", \"E\"]"), ("[\n    ]", "[\n        \"C\",\n        \"E\",\n    ]"),
            ("[\"A\", /* why */ \"B\" /* end */]", "[\"A\", /* why */ \"B\", /* end */ \"C\", \"E\"]"),
            (
                "[\n        \"B\",  // why\n        // about D\n        \"D\",\n    ]",
                "[\n        \"B\",  // why\n        \"C\",\n        // about D\n        \"D\",\n        \"E\",\n    ]"
            ),
            (
                "[\n        .product(name: \"D\", package: \"d\")  // why\n    ]",
                "[\n        \"C\",\n        .product(name: \"D\", package: \"d\"),  // why\n        \"E\"\n    ]"
            ),
        ])
    func adding(old: String, new: String) throws {
        let text = try edit("    targets: [.target(name: \"T\", dependencies: \(old), path: \"x\")]") {
            _ = $0.add([.init(name: "E"), .init(name: "C")], to: "T")
        }
        #expect(
            text == Self.manifest("    targets: [.target(name: \"T\", dependencies: \(new), path: \"x\")]"))
    }

    @Test("The dependencies of an appended target are edited too")
    func appended() throws {
        func text(_ dependencies: String) -> String {
            Self.manifest("    targets: []")
                + "package.targets.append(.target(name: \"T\", dependencies: [\(dependencies)]))\n"
        }
        var edit = try ManifestSource(text("\"B\""), in: "/A")
        let isAdded = edit.add([.init(name: "C")], to: "T")
        #expect(isAdded)
        #expect(edit.text == text("\"B\", \"C\""))
    }

    @Test("A missing list of dependencies is inserted at the right position among the arguments")
    func addingList() throws {
        let text = try edit(
            "    targets: [\n        .target(\n            name: \"T\",\n            path: \"x\")\n    ]"
        ) {
            _ = $0.add([.init(product: "C", package: "c")], to: "T")
            _ = $0.add([.init(path: "../c")])
        }
        #expect(
            text
                == Self.manifest(
                    """
                        dependencies: [.package(path: "../c")],
                        targets: [
                            .target(
                                name: "T",
                                dependencies: [.product(name: "C", package: "c")],
                                path: "x")
                        ]
                    """))
        let short = try edit("    targets: [.target(name: \"T\")]") {
            _ = $0.add([.init(name: "C")], to: "T")
        }
        #expect(short == Self.manifest("    targets: [.target(name: \"T\", dependencies: [\"C\"])]"))
    }

    @Test(
        "Removing a dependency also removes its line, but a dependency with a comment is kept",
        arguments: [
            ("[\"B\", \"C\"]", "[\"C\"]"), ("[\"C\", \"B\"]", "[\"C\"]"), ("[\"B\"]", "[]"),
            ("[\"C\", \"B\", \"D\"]", "[\"C\", \"D\"]"),
            ("[\n        \"B\",\n    ]", "[]"),
            ("[\n        \"C\",  // why\n        \"B\"\n    ]", "[\n        \"C\"  // why\n    ]"),
            ("[\n        \"B\",\n        \"C\",\n    ]", "[\n        \"C\",\n    ]"),
            ("[\n        // why\n        \"B\",\n    ]", nil), ("[\"B\" /* why */, \"C\"]", nil),
            ("[\n        \"B\",  // why\n    ]", nil),
        ])
    func removing(old: String, new: String?) throws {
        let lines = "    targets: [\n        .target(name: \"T\", dependencies: \(old))\n    ]"
        let before = try #require(Self.manifest(lines).firstRange(of: "\"B\"")).lowerBound
        let head = Self.manifest(lines)[..<before].split(separator: "\n", omittingEmptySubsequences: false)
        let position = Position(line: head.count, column: head[head.count - 1].utf8.count + 1)
        let text = try edit(lines) { $0.removeDependencies(at: [position]) }
        #expect(text == new.map { Self.manifest(lines.replacing(old, with: $0)) })
    }

    @Test(
        "A manifest that computes its dependencies is not edited",
        arguments: [
            "    targets: [.target(name: \"T\", dependencies: names)]",
            "    targets: names.map { .target(name: $0) }",
        ])
    func computed(lines: String) throws {
        #expect(try ManifestSource(Self.manifest(lines), in: "/A").literal == nil)
        // Several targets may use the same constant.
        let shared =
            "let all: [Target.Dependency] = [\"B\"]\n"
            + Self.manifest("    targets: [.target(name: \"T\", dependencies: all)]")
        var edit = try ManifestSource(shared, in: "/A")
        edit.removeDependencies(at: [Position(line: 1, column: 33)])
        _ = edit.add([.init(name: "C")], to: "T")
        #expect(edit.edits.isEmpty)
    }
}
