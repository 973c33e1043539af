import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

@Suite("The build plugin in a new tree")
struct BuildCheckDeepTests {
    private static let app = "Apps/Acme/Sources/Acme/main.swift"
    private static let api = "Packages/Business/GreetingApi/Sources/GreetingApi"
    private static let imp = "Packages/Business/Greeting/Sources/Greeting/GreetingModule.swift"
    private static let registration =
        "        center.register(GreetingApiProtocol.self, scope: .once) { GreetingService() }\n"

    @Test("A build fails with the line that breaks a rule, also in a new file, and passes after the fix")
    func build() throws {
        let tree = try NewTree()
        try tree.expect("init app --app Acme --check-builds")
        try expect(
            tree,
            "error: the tool that checks this tree is missing. Run Scripts/modules check, and build again.")
        #expect(try tree.shell("Scripts/modules check").hasPrefix("clean: "))
        try expect(tree, nil)

        try tree.place.edit("app/" + Self.imp, Self.registration, "")
        try expect(
            tree,
            "\(tree.root)/\(Self.imp):6:15: error: GreetingModule does not register GreetingApi.GreetingApiProtocol"
        )
        try tree.place.edit(
            "app/" + Self.imp, "(in center: ApiCenter) {\n", "(in center: ApiCenter) {\n" + Self.registration)
        try expect(tree, nil)

        for (name, module) in [("New", "ApiCenter"), ("New/Other", "Lifecycle")] {
            let file = Self.api + "/\(name).swift"
            try tree.place.write("app/" + file, "import \(module)\n")
            try expect(
                tree, "\(tree.root)/\(file):1:1: error: \(module) is imported, but the target GreetingApi")
            try tree.place.write("app/" + file, "")
            try expect(tree, nil)
        }

        // A package that the app does not link.
        try tree.place.write("app/Packages/Base/New/Package.swift", SmallTree.manifest("New"))
        try tree.place.write("app/Packages/Base/New/Sources/New/New.swift", "import Lifecycle\n")
        try expect(
            tree, "\(tree.root)/Packages/Base/New/Sources/New/New.swift:1:1: error: Lifecycle is imported")
        try tree.place.remove("app/Packages/Base/New")
        try expect(tree, nil)

        // A new file of the root package causes a new plan, at which the build folder contains the plugin's output.
        try tree.place.write("app/Apps/Acme/Sources/Acme/New.swift", "")
        try expect(tree, nil)

        // A warning is shown at its line, and the build passes.
        let settings = "rules:\n  - {rule: import-declared, severity: warning, reason: Later.}\n"
        let file = Self.api + "/New.swift"
        try tree.place.write("app/.modules.yml", tree.read(".modules.yml") + settings)
        try tree.place.write("app/" + file, "import Lifecycle\n")
        let output = try tree.shell("swift build --scratch-path build 2>&1")
        #expect(output.contains("\(tree.root)/\(file):1:1: warning: Lifecycle is imported"), "\(output)")

        // The caches are in the folder of the plugin, because macOS forbids writing to the user's cache folder.
        #expect(try tree.place.names(in: "app/build/plugins/outputs").contains { $0.hasSuffix(".facts") })
    }

    /// Builds the tree in a folder that isn't hidden, so that the plugin has to skip its own output there.
    ///
    /// - Parameter line: The start of a line that the failing build must print; nil if the build must pass.
    private func expect(_ tree: NewTree, _ line: String?) throws {
        let output = try tree.shell("swift build --scratch-path build 2>&1 || echo failed")
        #expect(output.hasSuffix("failed\n") == (line != nil), "\(output)")
        if let line { #expect(output.split(separator: "\n").contains { $0.hasPrefix(line) }, "\(output)") }
    }
}
