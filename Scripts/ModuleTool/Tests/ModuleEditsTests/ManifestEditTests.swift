import ModuleKit
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

    @Test(
        "A missing list of dependencies is inserted among the arguments, and a computed one is not edited",
        arguments: [
            (
                manifest("    targets: [.target(name: \"T\")]"),
                manifest("    targets: [.target(name: \"T\", dependencies: [\"C\"])]")
            ),
            (
                manifest(
                    "    targets: [\n        .target(\n            name: \"T\",\n            path: \"x\")\n    ]"
                ),
                manifest(
                    "    targets: [\n        .target(\n            name: \"T\",\n            dependencies: [\"C\"],\n"
                        + "            path: \"x\")\n    ]")
            ),
            (
                manifest("    targets: []")
                    + "package.targets.append(.target(name: \"T\", dependencies: [\"B\"]))\n",
                manifest("    targets: []")
                    + "package.targets.append(.target(name: \"T\", dependencies: [\"B\", \"C\"]))\n"
            ),
            // Several targets may use the same constant.
            (
                "let all: [Target.Dependency] = [\"B\"]\n"
                    + manifest("    targets: [.target(name: \"T\", dependencies: all)]"), nil
            ),
            (manifest("    targets: [.target(name: \"T\", dependencies: names)]"), nil),
            // The first list in a sum.
            (
                manifest("    targets: [.target(name: \"T\", dependencies: [\"B\"] + names)] + tests"),
                manifest("    targets: [.target(name: \"T\", dependencies: [\"B\", \"C\"] + names)] + tests")
            ),
            (manifest("    targets: names.map { .target(name: $0) }"), nil),
        ])
    func places(old: String, new: String?) throws {
        var edit = try ManifestSource(old, in: "/A")
        _ = edit.add([.init(name: "C")], to: "T")
        edit.removeDependencies(at: [Position(line: 1, column: 33)])
        #expect(edit.text == new ?? old)
        if new == nil { #expect(edit.literal == nil || old.hasPrefix("let all")) }
    }

    @Test("A list that would be longer than 110 columns gets a line for each element")
    func long() throws {
        let names = ["Aaaaaaaaaaaaaaaaaaaa", "Bbbbbbbbbbbbbbbbbbbbbb", "Dddddddddddddddddddd"]
        let old = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let new = (names + ["C"]).sorted().map { "\n            \"\($0)\"," }.joined()
        let text = try edit("    targets: [\n        .target(name: \"T\", dependencies: [\(old)])\n    ]") {
            _ = $0.add([.init(name: "C")], to: "T")
        }
        #expect(
            text
                == Self.manifest(
                    "    targets: [\n        .target(name: \"T\", dependencies: [\(new)\n        ])\n    ]"))
    }

    @Test("A package is added to the constant of a computed list")
    func addingToConstant() throws {
        let list = "let packages: [Package.Dependency] = [\n    .package(path: \"b\"),\n]\n"
        let rest = Self.manifest(
            "    dependencies: packages + pairs.map { .package(path: $0) },\n    targets: []")
        var edit = try ManifestSource(list + rest, in: "/A")
        let isAdded = edit.add([.init(path: "c")])
        #expect(isAdded)
        #expect(edit.text == list.dropLast(2) + "    .package(path: \"c\"),\n]\n" + rest)
    }

    @Test("A missing list of packages is inserted before the targets")
    func addingPackages() throws {
        let text = try edit("    targets: [\n    ]") { _ = $0.add([.init(path: "../c")]) }
        #expect(
            text == Self.manifest("    dependencies: [.package(path: \"../c\")],\n    targets: [\n    ]"))
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
}
