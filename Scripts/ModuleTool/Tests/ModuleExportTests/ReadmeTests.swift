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
}
