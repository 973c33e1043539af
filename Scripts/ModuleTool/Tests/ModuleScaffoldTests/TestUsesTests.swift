import Foundation
import Testing
import ToolFixtures

@Suite("What the tests of pairs use")
struct TestUsesTests {
    /// A tree with the pairs Catalog and Checkout.
    private func shop() throws -> NewTree {
        let tree = try NewTree()
        for line in ["init app --app Shop", "new-module Catalog", "new-module Checkout --calls Catalog"] {
            try tree.expect(line)
        }
        return tree
    }

    private let tests = "app/Packages/Business/Checkout/Tests/CheckoutTests/CheckoutTests.swift"
    private let imports =
        "import ApiCenter\nimport ApiCenterTesting\nimport CatalogApi\nimport CatalogApiFakes\n"

    @Test(
        "The fix of an import in a pair's test adds the product to the pair's manifest and to the app's list")
    func fixed() throws {
        let tree = try shop()
        let before = try tree.files()
        try tree.place.edit(tests, "import ApiCenter\n", imports)
        let edited = try tree.files()
        let manifest = "Packages/Business/Checkout/Package.swift"
        try tree.expect(
            "check imports registration", 1,
            "fix:  Add .product(name: \"CatalogApiFakes\", package: \"CatalogApi\") to the dependencies at "
                + "Packages/Business/Checkout/Package.swift")
        try tree.expect("check --fix", 0, "clean: ")
        let entry = """
                Pair("Business/Checkout",
                    uses: [
                        "ApiCenter/ApiCenterTesting",
                        "CatalogApi",
                        "CatalogApi/CatalogApiFakes",
                    ]),

            """
        #expect(try tree.read("Package.swift").contains(entry))
        // The evaluated manifest links the products.
        #expect(
            try tree.expect("why CheckoutTests CatalogApiFakes").contains("CatalogApiFakes"))
        let changed = try tree.files().filter { edited[$0.key] != $0.value }
        #expect(changed.keys.sorted() == ["Package.swift", manifest])
        try tree.place.edit(tests, imports, "import ApiCenter\n")
        try tree.place.write("app/" + manifest, #require(before[manifest]))
        try tree.expect("check --fix", 0, "clean: ")
        #expect(try tree.files() == before)
    }

    @Test("The entry of an alternative names what the copied tests use")
    func alternative() throws {
        let tree = try shop()
        try tree.place.edit(tests, "import ApiCenter\n", imports)
        try tree.expect("check --fix")
        try tree.expect("new-module CheckoutFast --alternative-to Checkout")
        try tree.expect("check", 0, "clean: ")
    }

    @Test(
        "An entry that lacks a product, or has an unused one, is a finding that the registrations command fixes"
    )
    func stale() throws {
        let tree = try shop()
        try tree.place.edit(tests, "import ApiCenter\n", imports)
        try tree.expect("check --fix")
        let good = try tree.read("Package.swift")
        try tree.place.write(
            "app/Package.swift", good.replacing("\"ApiCenter/ApiCenterTesting\"", with: "\"Launch\""))
        try tree.expect(
            "check test-uses", 1, "Package.swift:",
            "the target CheckoutTests lacks ApiCenter/ApiCenterTesting and has the unused Launch",
            "fix:  Run: Scripts/modules registrations")
        try tree.expect("registrations")
        #expect(try tree.read("Package.swift") == good)
    }

    @Test("If the manifest's type Pair has no uses, the finding says so, and registrations changes nothing")
    func oldManifest() throws {
        let tree = try shop()
        let manifest = try tree.read("Package.swift").replacing("uses", with: "notes")
        try tree.place.write("app/Package.swift", manifest)
        try tree.place.edit(tests, "import ApiCenter\n", imports)
        try tree.expect("check --fix", 1, "test-uses: ", "fix:  Give the type Pair the property `uses`")
        #expect(try tree.read("Package.swift") == manifest)
    }

    @Test("A package of a lower layer that only a pair's tests use is declared in the app's manifest")
    func lowerLayer() throws {
        let tree = try shop()
        try tree.place.write(
            "app/Packages/Common/Money/Package.swift", NewTree.manifest("Money", ".target(name: \"Money\")"))
        try tree.place.write("app/Packages/Common/Money/Sources/Money/Money.swift", "public let cents = 1\n")
        try tree.place.edit(tests, "import ApiCenter\n", "import ApiCenter\nimport Money\n")
        try tree.expect("check --fix", 0, "clean: ")
        let manifest = try tree.read("Package.swift")
        #expect(manifest.contains("    .package(path: \"Packages/Common/Money\"),\n"))
        #expect(manifest.contains("    Pair(\"Business/Checkout\", uses: [\"Money\"]),\n"))
    }
}
