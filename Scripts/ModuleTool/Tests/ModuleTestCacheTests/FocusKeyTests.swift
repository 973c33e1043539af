import ModuleTree
import Testing

@Suite("Keys of the tests of a focus")
struct FocusKeyTests {
    private let tree: TestTree
    private let focus = FocusedTests(
        in: ".modules/in-focus",
        tests: [
            "AppTests": "", "GateTests": "Packages/Gate", "KitTests": "", "PlainTests": "", "ReadsTests": "",
            "RideTests": "Packages/Ride",
        ])

    init() throws { tree = try TestTree([".modules/in-focus/Package.swift": "// Merged\n"]) }

    /// The names of the test targets whose keys an edit changes.
    private func changed(_ edit: () throws -> Void) throws -> String {
        let before = try tree.keys(focus: focus)
        try edit()
        let after = try tree.keys(focus: focus)
        return before.keys.filter { before[$0] != after[$0] }.sorted().joined(separator: " ")
    }

    @Test("No key of a focus is a key of the tree's own packages")
    func distinct() throws {
        let (own, ofFocus) = (try tree.keys(), try tree.keys(focus: focus))
        #expect(own.keys == ofFocus.keys)
        #expect(Set(own.values).isDisjoint(with: ofFocus.values))
    }

    @Test("The manifest of the focus is an input of all its tests")
    func manifest() throws {
        let all = "AppTests GateTests KitTests PlainTests ReadsTests RideTests"
        #expect(try changed { try tree.tree.write(".modules/in-focus/Package.swift", "// Another\n") } == all)
        let own = try tree.keys()
        try tree.tree.write(".modules/in-focus/Package.swift", "// Merged\n")
        #expect(try tree.keys() == own)
        try tree.tree.remove(".modules/in-focus/Package.swift")
        #expect(try tree.targets(focus: focus).allSatisfy { $0.alwaysRuns != nil })
    }

    @Test("A changed source, Api or manifest is an input of the tests that link it")
    func sources() throws {
        let paths = [
            "Packages/Ride/Sources/Ride/Ride.swift": "AppTests RideTests",
            "Packages/GateApi/Sources/GateApi/GateApi.swift": "AppTests GateTests RideTests",
            "Packages/Gate/Package.swift": "AppTests GateTests",
            "Packages/Gate/Tests/GateTests/GateTests.swift": "GateTests",
            "Apps/PlainTests/PlainTests.swift": "PlainTests",
        ]
        for (path, runs) in paths {
            #expect(try changed { try tree.tree.write(path, tree.tree.read(path) + "\n") } == runs, "\(path)")
        }
    }

    @Test(
        "A test of a focus always runs if it links a remote package, because no key contains the pins of a focus"
    )
    func remote() throws {
        let targets = try tree.targets(focus: focus)
        #expect(
            targets.first { $0.name == "KitTests" }?.alwaysRuns
                == "it links a remote package, which a focus pins itself")
        #expect(targets.first { $0.name == "RideTests" }?.alwaysRuns == nil)
    }
}
