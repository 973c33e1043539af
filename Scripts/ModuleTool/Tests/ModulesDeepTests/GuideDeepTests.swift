import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

/// Follows a guide: runs each command in the tree that the previous commands have created.
private struct Guide {
    let tree: NewTree
    private static let clone = "in a clone of this repository"

    init() throws {
        tree = try NewTree()
        try tree.place.run("cp", "-a", WholeTree.template.get().root, "house")
        let launcher = "Scripts/ModuleTool/launch"
        try tree.place.run("cp", NewTree.house.get().root + "/" + launcher, "house/" + launcher)
        try copy("Kiosk")
        try tree.shell("git init -q && git add . && git commit -qm Start", in: "Kiosk")
    }

    /// Copies a sample project of the guide over the files in a folder.
    func copy(_ project: String, over folder: String = "") throws {
        let samples = HouseFiles.root.appending(path: "Scripts/ModuleTool/Tests/Adoption").path
        try tree.place.run("cp", "-R", "\(samples)/\(project)\(folder.isEmpty ? "" : "/.")", "./\(folder)")
    }

    /// Runs all commands of a guide and returns their outputs by command.
    func run(_ guide: String) throws -> [String: String] {
        let text = try HouseFiles.text("Scripts/ModuleTool/" + guide)
        var outputs: [String: String] = [:]
        let blocks = text.matches(of: /(?:<!-- (.*) -->\n)?```sh\n((?s:.*?))```\n/)
        #expect(blocks.count == text.ranges(of: "```sh").count)
        for block in blocks {
            let place = String(try #require(block.1, "Every block of commands states its folder."))
            let folder =
                place.hasPrefix(Self.clone) ? "house" : String(place.dropFirst(3).prefix { $0 != " " })
            if place.hasSuffix("with the menu as a pair") { try copy("KioskWithMenu", over: folder) }
            if place.hasSuffix("with drinks in an Api") { try copy("KioskWithDrinks", over: folder) }
            if place.hasSuffix("with Catalog and Checkout") { try copy("Shop", over: folder) }
            if place.hasSuffix("with prices(of:) in CatalogApi") { try copy("ShopWithPrices", over: folder) }
            if place.hasSuffix("with another error in Catalog") {
                try tree.place.edit(
                    folder + "/Packages/Business/Catalog/Sources/Catalog/CatalogService.swift",
                    "There is no network.", "There is no network. Try again later.")
            }
            for line in block.2.split(separator: "\n").map(String.init) {
                outputs[line] = try tree.shell(line, in: folder)
            }
        }
        return outputs
    }
}

@Suite("The guide for adopters, in new trees")
struct GuideDeepTests {
    @Test("All commands of the guide work, and the packages and the plugin come from exported repositories")
    func everything() throws {
        let guide = try Guide()
        let tree = guide.tree
        // The copy of this repository lacks the tool's sources.
        for part in [
            "Sources", "Plugins", "README.md", "Adopting.md", "Exporting.md", "Configuration.md",
            "IOS.md", "LargeTrees.md", "Releasing.md", "SharedTypes.md", "TestAModule.md", "Testing.md",
            "WriteAModule.md",
        ] {
            let path = HouseFiles.root.appending(path: "Scripts/ModuleTool/" + part).path
            try tree.place.run("cp", "-R", path, "house/Scripts/ModuleTool")
        }
        try tree.shell("git add . && git commit -qm 'The sources'", in: "house")
        try tree.place.write(
            "gitconfig",
            try tree.place.read("gitconfig")
                + "[url \"file://\(tree.place.root)/packages/\"]\n    insteadOf = https://github.com/acme/\n")
        try tree.shell(
            "Scripts/modules export ApiCenter Launch Lifecycle ModuleCheck ModuleTool Routes --to ../packages "
                + "--url 'https://github.com/acme/{name}'", in: "house")
        // These options keep the exported repositories out of the user's SwiftPM cache. The guide's own commands use
        // that cache.
        let options = "--cache-path ../swiftpm --security-path ../security"
        let outputs = try guide.run("Adopting.md")
        #expect(outputs.count > 15)
        let test = #"Test "Every module of this app can be built" passed"#
        for command in ["swift test", "swift test --package-path Apps/AppModules"] {
            #expect(outputs[command]?.contains(test) == true, "\(outputs[command] ?? "")")
        }
        #expect(outputs["swift run Acme"] == "I am Greeting.\n")
        #expect(outputs["swift run Kiosk"] == "Tea: 2 EUR\n")
        #expect(outputs["Scripts/modules check"]?.hasPrefix("clean: ") == true)
        let affected = outputs["Scripts/modules affected --since HEAD --format sh"]
        #expect(affected?.contains("swift test --package-path 'Packages/Menu'") == true, "\(affected ?? "")")
        let shared = try guide.run("SharedTypes.md")
        #expect(shared["Scripts/modules check"]?.hasPrefix("clean: ") == true, "\(shared)")
        let written = try guide.run("WriteAModule.md")
        #expect(written["Scripts/modules check --fix"]?.contains("clean: ") == true, "\(written)")
        #expect(written["Scripts/modules test"]?.contains("CheckoutTests") == true, "\(written)")
        let shown = "Checkout\ntext(\"Tea is not available.\")\n"
        #expect(written["swift run Acme checkout/Tea"] == shown)
        let merged = try guide.run("LargeTrees.md")
        #expect(merged["swift run --package-path .modules/in-focus Acme"] == shown, "\(merged)")
        #expect(
            merged["Scripts/modules test --focus"]?.contains("passed CatalogTests: ") == true, "\(merged)")
        let tested = try guide.run("TestAModule.md")
        #expect(tested["Scripts/modules test"]?.contains("CheckoutTests") == true, "\(tested)")
        let refused = try tree.shell("swift run Acme chekout/Tea; test $? = 1", in: "Acme")
        #expect(refused.contains("no route matches the URL"), "\(refused)")
        let phone = try guide.run("IOS.md")
        #expect(phone["swift run Tram"] == "I am Greeting.\n")
        #expect(phone["swift run Tram greeting"]?.hasPrefix("GreetingPage(") == true, "\(phone)")
        try expectNames(of: ["CatalogApi", "CheckoutApi"], in: tree)
        try expectLinesCompile(
            in: tree,
            outputs["Scripts/modules add Pages APIService"] ?? "",
            tree.shell("Scripts/modules add Mediator Providers Storage", in: "Acme"),
            tree.shell("Scripts/modules add Routes", in: "Kiosk"))
        let released = try guide.run("Releasing.md")
        #expect(
            released["Scripts/modules release --dry-run"] == "Nothing has changed since the last releases.\n")
        let raised = ["0.1.0 -> 0.1.1", "0.1.1 -> 0.2.0"].map {
            "Raised CatalogApi \($0), Catalog \($0), floor"
        }
        for text in raised {
            #expect(released.values.contains { $0.contains(text) }, "\(released)")
        }
        try tree.shell("Scripts/modules test", in: "Acme")
        // The build plugin needs the tool, which the first check fetches and builds.
        #expect(try tree.shell("Scripts/modules check", in: "Remote").hasPrefix("clean: "))
        #expect(try tree.shell("swift run \(options) Remote", in: "Remote") == "I am Greeting.\n")
        try tree.shell("swift test \(options)", in: "Remote")
        try guide.copy("Plugin")
        #expect(
            try tree.shell("swift package \(options) modules check", in: "Plugin").contains(
                "clean: 1 package"))
        #expect(try !tree.shell("ls .build/checkouts", in: "Plugin").contains("swift-syntax"))
    }

    /// Compiles the lines of code that the add command prints: those with four spaces before them, below a heading.
    private func expectLinesCompile(in tree: NewTree, _ outputs: String...) throws {
        let steps = outputs.flatMap { $0.split(separator: "Next: ").dropFirst() }
        let codes = steps.map { step in
            step.split(separator: "\n").filter { $0.hasPrefix("    ") }.joined(separator: "\n")
        }.filter { !$0.isEmpty }
        let names = ["APIService", "Mediator", "Pages", "Providers", "Routes", "Storage"]
        #expect(codes.count == names.count, "\(outputs)")
        let functions = codes.enumerated().map { index, code in
            let isLink = code.hasPrefix("    .")
            return """
                func lines\(index)(_ center: ApiCenter, _ routes: Routes, _ links: LinkTable) throws {
                \(isLink ? "    _ = [Link]([\n\(code)\n    ])" : code)
                }
                """
        }
        let imports = (names + ["ApiCenter", "Foundation", "Launch", "Links"]).sorted().map {
            "import \($0)\n"
        }
        try tree.place.write(
            "Acme/Apps/Acme/Sources/AppModules/Lines.swift",
            imports.joined() + """

                protocol LoggerApiProtocol: Sendable {}
                enum CartRoute { static let main = "cart" }
                struct CartPage: Page {
                    let title = "Cart"
                    func contents() async throws -> [PageContent] { [] }
                }

                \(functions.joined(separator: "\n\n"))

                """)
        try tree.shell("Scripts/modules check --fix", in: "Acme")
        try tree.shell("swift build --target AppModules", in: "Acme")
        try tree.place.remove("Acme/Apps/Acme/Sources/AppModules/Lines.swift")
    }

    /// Breaks the IMPs of these Apis, and expects that the app's test names each of them.
    private func expectNames(of apis: [String], in tree: NewTree) throws {
        for api in apis {
            let name = String(api.dropLast("Api".count))
            let module = "Packages/Business/\(name)/Sources/\(name)/\(name)Module.swift"
            try tree.place.edit(
                "Acme/" + module, " { \(name)Service(", " { throw Broken.\(name); return \(name)Service(")
            try tree.place.edit(
                "Acme/" + module, "/// Registers",
                "private enum Broken: Error { case \(name) }\n\n/// Registers")
        }
        let output = try tree.shell("swift test --filter AppModulesTests 2>&1 || true", in: "Acme")
        for api in apis {
            let name = api.dropLast("Api".count)
            #expect(
                output.contains(
                    "the IMP of \(api).\(api)Protocol could not be built. Its builder, registered at "
                ),
                "\(output)")
            #expect(output.contains(" threw: \(name)."), "\(output)")
        }
    }
}
