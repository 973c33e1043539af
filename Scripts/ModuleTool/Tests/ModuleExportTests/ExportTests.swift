import Foundation
import ModuleEdits
import ModuleFixtures
import ModuleVersions
import Testing

@testable import ModuleExport

@Suite("An exported package")
struct ExportTests {
    let fixture: ExportFixture

    init() throws { fixture = try ExportFixture() }

    @Test("comes with all that it stands on, and with nothing else")
    func closure() throws {
        #expect(
            try Set(fixture.export("Ride").keys) == ["ApiCenter", "Lifecycle", "Ride", "RideApi"])
        // Journey calls Ride's Api, and outside that brings Ride.
        #expect(
            try Set(fixture.export("JourneyApi").keys)
                == ["ApiCenter", "ErrorCode", "Journey", "JourneyApi", "Lifecycle", "Ride", "RideApi"])
        #expect(try fixture.export("RideActions") == ["Mediator": .new, "RideActions": .new])
        #expect(try fixture.export().count == 9)
        let error = #expect(throws: EditError.self) { try fixture.export("Shell") }
        #expect(error?.kind == .usage)
        #expect(error?.mend.contains("Ride") == true)
    }

    @Test("may be an alternative IMP, which has its version from its own row")
    func alternative() throws {
        try fixture.tree.write(
            "Packages/Business/RideCheap/Package.swift",
            SmallTree.manifest("RideCheap", packages: ["../RideApi"], uses: ["RideApi"]))
        try fixture.tree.write("Packages/Business/RideCheap/Sources/RideCheap/A.swift", "import RideApi\n")
        try fixture.tree.edit(
            "VERSIONS.md", "\n\n| Library", "\n| RideCheap | Ride | 1.3.0 | >= 1.3.0 |\n\n| Library")
        try fixture.tree.commit("Another Ride")
        #expect(
            try Set(fixture.export("RideCheap").keys)
                == ["ApiCenter", "Lifecycle", "Ride", "RideApi", "RideCheap"])
        #expect(try fixture.git("tag", in: "RideCheap") == "1.3.0")
    }

    @Test("names the others by address and version, modules as floors")
    func requirements() throws {
        try fixture.export()
        let journey = try fixture.text("Journey/Package.swift")
        #expect(!journey.contains("path:"))
        for line in [
            ".package(url: \"../Lifecycle\", from: \"1.1.0\"),",
            ".package(url: \"../ErrorCode\", from: \"1.0.0\"),",
            ".package(url: \"../JourneyApi\", \"1.0.0\"..<\"10000.0.0\"),",
            ".package(url: \"../RideApi\", \"1.2.0\"..<\"10000.0.0\"),",
        ] {
            #expect(journey.contains(line), "\(line)")
        }
        #expect(
            try fixture.text("Lifecycle/Package.swift").contains(
                ".package(url: \"../ApiCenter\", from: \"1.0.0\")"))
    }

    @Test("has, when it is an Api, a product that links the IMP at or above the floor")
    func withImp() throws {
        try fixture.export("Ride")
        #expect(
            try fixture.text("RideApi/Package.swift") == """
                // swift-tools-version: 6.3
                import PackageDescription

                let package = Package(
                    name: "RideApi",
                    products: [
                        .library(name: "RideApi", targets: ["RideApi"]),
                        .library(name: "RideApiWithImp", targets: ["RideApi", "RideApiWithImp"]),
                    ],
                    dependencies: [
                        // Ride >= 1.1.0: SwiftPM has no form without an upper bound.
                        .package(url: "../Ride", "1.1.0"..<"10000.0.0"),
                    ],
                    targets: [
                        .target(name: "RideApi", dependencies: []),
                        .target(name: "RideApiWithImp", dependencies: [.product(name: "Ride", package: "Ride")]),
                    ]
                )

                """)
        #expect(
            try fixture.text("RideApi/Sources/RideApiWithImp/RideApiWithImp.swift")
                .contains("public typealias RideModule = Ride.RideModule"))
    }

    @Test("has the sources and tests of the tree, a README, and the notes of its Api or library")
    func files() throws {
        try fixture.export("Ride")
        #expect(
            try fixture.git("ls-files", in: "Ride").split(separator: "\n") == [
                ".gitignore", "Package.swift", "README.md", "Sources/Ride/RideModule.swift",
                "Tests/RideTests/RideTests.swift",
            ])
        #expect(
            try fixture.text("Ride/Sources/Ride/RideModule.swift")
                == fixture.tree.read("Packages/Business/Ride/Sources/Ride/RideModule.swift"))
        #expect(
            try fixture.text("RideApi/CHANGES.md")
                == "# Changes\n\n## 1.2.0\n\n- A route's name.\n\n## 1.0.0\n\n- First release.\n")
        #expect(try fixture.text("Lifecycle/CHANGES.md").contains("## 1.1.0\n\n- Modules have a version."))
        #expect(
            try fixture.text("RideApi/README.md").contains(".package(url: \"../RideApi\", from: \"1.2.0\")"))
    }

    @Test("takes its address from a template")
    func addresses() throws {
        let acme = try AddressTemplate("https://github.com/acme/{name}.git")
        try fixture.export("Ride", addresses: acme)
        #expect(
            try fixture.text("RideApi/Package.swift")
                .contains(".package(url: \"https://github.com/acme/Ride.git\", \"1.1.0\"..<\"10000.0.0\")"))
        #expect(
            try ExportedManifest.floors(in: fixture.text("RideApi/Package.swift"))["ride"]?.description
                == "1.1.0")
    }

    @Test(
        "needs a template whose last part is the name",
        arguments: [
            "", "{name}", "https://github.com/acme", "https://github.com/acme/lib-{name}",
            "https://github.com/{name}/{name}", "https://github.com/a cme/{name}", "\"/{name}",
        ])
    func badAddresses(template: String) {
        let error = #expect(throws: EditError.self) { try AddressTemplate(template) }
        #expect(error?.kind == .usage)
    }

    @Test("of a manifest that computes its packages is refused")
    func computed() throws {
        try fixture.tree.edit(
            "Packages/Base/Lifecycle/Package.swift", "\"../../Core/ApiCenter\"",
            "\"../../Core/\" + \"ApiCenter\"")
        try fixture.tree.commit("Computed")
        let refused = #expect(throws: ExportRefused.self) { try fixture.export("Lifecycle") }
        #expect(refused?.errors.map(\.place) == ["Packages/Base/Lifecycle/Package.swift"])
    }
}
