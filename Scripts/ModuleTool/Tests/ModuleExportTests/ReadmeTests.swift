import Foundation
import ModuleFixtures
import Testing

@testable import ModuleExport

@Suite("READMEs of exported packages")
struct ReadmeTests {
    let fixture: ExportFixture

    init() throws { fixture = try ExportFixture() }

    @Test("A generated README says what the package is for, and how to depend on it")
    func made() throws {
        try fixture.tree.write(
            "Packages/Business/RideCheap/Package.swift",
            SmallTree.manifest("RideCheap", packages: ["../RideApi"], uses: ["RideApi"]))
        try fixture.tree.write("Packages/Business/RideCheap/Sources/RideCheap/A.swift", "import RideApi\n")
        try fixture.tree.edit(
            "VERSIONS.md", "\n\n| Library", "\n| RideCheap | Ride | 1.3.0 | >= 1.3.0 |\n\n| Library")
        try fixture.tree.write("Packages/Core/ApiCenter/README.md", "# ApiCenter\n\nOne map.\n")
        try fixture.tree.commit("Another Ride")
        #expect(try fixture.export("RideCheap").keys.contains("Ride"))
        #expect(try fixture.git("tag", in: "RideCheap") == "1.3.0")
        #expect(
            try fixture.text("RideApi/README.md") == """
                # RideApi

                Ride's interface for other modules. Callers link `RideApi`, which contains only protocols. The app links \
                `RideApiWithImp`, which brings in a compatible implementation; the app registers that implementation \
                with `RideModule`.

                ~~~swift
                // Package dependencies:
                .package(url: "../RideApi", from: "1.2.0"),
                // Dependencies of a target that uses this package:
                .product(name: "RideApi", package: "RideApi"),
                // Dependencies of the app:
                .product(name: "RideApiWithImp", package: "RideApi"),
                ~~~

                See [CHANGELOG.md](CHANGELOG.md) for the changes.

                Exported from a monorepo, where all changes are made. The tag is the version.

                """)
        // An app links an IMP through its Api, and an alternative IMP directly.
        let ride = try fixture.text("Ride/README.md")
        #expect(ride.contains(".package(url: \"../RideApi\", from: \"1.2.0\"),"))
        #expect(ride.contains("app:\n.product(name: \"RideApiWithImp\", package: \"RideApi\"),"))
        let cheap = try fixture.text("RideCheap/README.md")
        #expect(cheap.contains("Another implementation of RideApi.") && !cheap.contains("RideCheapApi"))
        #expect(cheap.contains("app:\n.product(name: \"RideCheap\", package: \"RideCheap\"),"))
        // A package's own README is exported unchanged.
        #expect(try fixture.text("ApiCenter/README.md") == "# ApiCenter\n\nOne map.\n")
    }

    @Test("A README with a link out of the package is refused")
    func links() throws {
        for out in [
            "[it](../Routes/README.md)", "[it](Sources/../../x.md)", "[it](/etc/x)",
            "[it](Sources/Gone.swift)",
            "[it](<../a b>)", "[it]: ../Routes", "<a href=\"../Routes\">it</a>", "![it](../it.png)",
        ] {
            try fixture.tree.write("Packages/Base/Mediator/README.md", "# M\n\nSee below.\n\n\(out)\n")
            let refused = #expect(throws: ExportRefused.self) {
                try fixture.export("Mediator", isDryRun: true)
            }
            #expect(refused?.errors.first?.place == "Packages/Base/Mediator/README.md:5", "\(out)")
        }
    }

    @Test("A README may link to files of its package, to its headings and to the web")
    func goodLinks() throws {
        try fixture.tree.write(
            "Packages/Base/Mediator/README.md",
            """
            # M

            [a](#more) [b](https://x.example/../y) [c](Sources/Mediator) [d](./Sources/../CHANGELOG.md#top)
            `[e](../code)`

            ```
            [f](../code)
            ```

            ~~~~
            ~~~
            [h](../code)
            ~~~~

            [g]: Sources/Mediator/Mediator.swift
            [^1]: See below.
            """)
        try fixture.tree.commit("README")
        #expect(try fixture.export("Mediator") == ["Mediator": .new])
    }

    @Test("A change note or a licence with a link out of the package is refused")
    func notes() throws {
        try fixture.tree.edit(
            "Packages/Base/Mediator/CHANGELOG.md", "- First release.", "- See [it](Apps/Shell).")
        try fixture.tree.commit("Note")
        let refused = #expect(throws: ExportRefused.self) { try fixture.export("Mediator") }
        #expect(refused?.errors.map(\.place) == ["Packages/Base/Mediator/CHANGELOG.md:5"])
        try fixture.tree.write("LICENSE.md", "Like [that](Packages).\n")
        let licence = #expect(throws: ExportRefused.self) { try fixture.export("RideApi", isDryRun: true) }
        #expect(licence?.errors.map(\.place).contains("LICENSE.md") == true)
    }

    @Test("A DocC catalog may refer to its files by name, but may not link to files outside the package")
    func catalog() throws {
        let catalog = "Packages/Base/Mediator/Sources/Mediator/Mediator.docc"
        try fixture.tree.write(catalog + "/Mediator.md", "![It](over.png) <doc:Calls> ![It](over)\n")
        try fixture.tree.write(catalog + "/Resources/over.png", "")
        try fixture.export("Mediator", isDryRun: true)
        try fixture.tree.write(catalog + "/Mediator.md", "[it](../../../../Lifecycle)\n")
        let refused = #expect(throws: ExportRefused.self) { try fixture.export("Mediator", isDryRun: true) }
        #expect(refused?.errors.map(\.place) == [catalog + "/Mediator.md:1"])
    }
}
