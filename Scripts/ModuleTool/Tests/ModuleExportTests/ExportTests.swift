import ExportFixtures
import Foundation
import ModuleFixtures
import ModuleKit
import ModuleVersions
import Testing

@testable import ModuleExport

@Suite("Exported packages")
struct ExportTests {
    let fixture: ExportFixture

    init() throws { fixture = try ExportFixture() }

    @Test("An export contains exactly the named package and the packages that it depends on")
    func closure() throws {
        #expect(
            try Set(fixture.export("Ride").keys) == ["ApiCenter", "Lifecycle", "Ride", "RideApi"])
        // Journey calls RideApi, and an exported Api depends on its IMP.
        #expect(
            try Set(fixture.export("JourneyApi").keys)
                == ["ApiCenter", "ErrorCode", "Journey", "JourneyApi", "Lifecycle", "Ride", "RideApi"])
        #expect(try fixture.export("RideActions") == ["Mediator": .new, "RideActions": .new])
        #expect(try fixture.export().count == 9)
        let error = #expect(throws: Diagnostic.self) { try fixture.export("Shell") }
        #expect(error?.kind == .configuration)
        #expect(error?.fix.contains("Ride") == true)
    }

    @Test("An exported Api has a product that links its IMP at or above the floor")
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
    }

    @Test("An exported Api requires a library that it may import at or above the library's version")
    func importedLibrary() throws {
        let manifest = "Packages/Business/RideApi/Package.swift"
        try fixture.tree.write(".modules.yml", "api-imports: [Mediator]\n")
        try fixture.tree.write(
            manifest, SmallTree.manifest("RideApi", packages: ["../../Base/Mediator"], uses: ["Mediator"]))
        try fixture.tree.commit("RideApi imports Mediator")
        #expect(try fixture.export("RideApi")["Mediator"] == .new)
        #expect(
            try fixture.text("RideApi/Package.swift").contains(
                """
                    dependencies: [
                        .package(url: "../Mediator", from: "1.0.0"),
                        // Ride >= 1.1.0: SwiftPM has no form without an upper bound.
                        .package(url: "../Ride", "1.1.0"..<"10000.0.0"),
                    ],
                    targets: [
                        .target(name: "RideApi", dependencies: ["Mediator"]),
                """))
    }

    @Test(
        "Exported packages have their sources, tests and notes, and require each other by address and version floors"
    )
    func contents() throws {
        try fixture.export("Journey")
        let parts = [
            (
                "Journey/Package.swift",
                [
                    ".package(url: \"../Lifecycle\", from: \"1.1.0\"),",
                    ".package(url: \"../ErrorCode\", from: \"1.0.0\"),",
                    ".package(url: \"../JourneyApi\", \"1.0.0\"..<\"10000.0.0\"),",
                    ".package(url: \"../RideApi\", \"1.2.0\"..<\"10000.0.0\"),",
                ]
            ),
            ("Lifecycle/Package.swift", [".package(url: \"../ApiCenter\", from: \"1.0.0\")"]),
            ("Lifecycle/CHANGELOG.md", ["## 1.1.0\n\n- Modules have a version."]),
            (
                "RideApi/CHANGELOG.md",
                ["# Changelog\n\n## 1.2.0\n\n- A route's name.\n\n## 1.0.0\n\n- First release.\n"]
            ),
            ("RideApi/README.md", [".package(url: \"../RideApi\", from: \"1.2.0\")"]),
            (
                "Ride/Sources/Ride/RideModule.swift",
                [SmallTree.files["Packages/Business/Ride/Sources/Ride/RideModule.swift"] ?? ""]
            ),
            ("Ride/Tests/RideTests/RideTests.swift", ["@testable import Ride"]),
            ("Ride/.gitignore", [".build*/"]),
            (
                "RideApi/Sources/RideApiWithImp/RideApiWithImp.swift",
                ["public typealias RideModule = Ride.RideModule"]
            ),
        ]
        for (file, parts) in parts {
            let text = try fixture.text(file)
            for part in parts { #expect(text.contains(part), "\(text)") }
            #expect(!text.contains("path:"))
        }
    }

    @Test("The addresses come from a template, and .modules.yml gives the suffix of module types")
    func names() throws {
        try fixture.tree.write(".modules.yml", "module-suffix: Entry\n")
        try fixture.tree.commit("Entries")
        try fixture.export("Ride", addresses: try AddressTemplate("https://github.com/acme/{name}.git"))
        #expect(
            try fixture.text("RideApi/Sources/RideApiWithImp/RideApiWithImp.swift")
                .contains("public typealias RideEntry = Ride.RideEntry"))
        let manifest = try fixture.text("RideApi/Package.swift")
        #expect(
            manifest.contains(
                ".package(url: \"https://github.com/acme/Ride.git\", \"1.1.0\"..<\"10000.0.0\")"))
        #expect(try ExportedManifest.floors(in: manifest)["ride"]?.description == "1.1.0")
    }

    @Test("An address template that does not end in the name is rejected")
    func badAddresses() {
        for template in [
            "", "{name}", "https://github.com/acme", "https://github.com/acme/lib-{name}",
            "https://github.com/{name}/{name}", "https://github.com/a cme/{name}", "\"/{name}",
        ] {
            #expect(throws: Diagnostic.self) { try AddressTemplate(template) }
        }
    }

    @Test("Exported packages have no warning settings, because Xcode suppresses warnings in remote packages")
    func warnings() throws {
        let settings = """
            for target in package.targets {
                target.swiftSettings =
                    (target.swiftSettings ?? []) + [
                        .strictMemorySafety(),
                        .treatAllWarnings(as: .error),
                        .treatWarning("DeprecatedDeclaration", as: .warning),
                    ]
            }

            """
        let path = "Packages/Core/ApiCenter/Package.swift"
        let manifest = try fixture.tree.read(path)
        try fixture.tree.write(path, manifest + settings)
        try fixture.tree.commit("House settings")
        try fixture.export("ApiCenter")
        let treating = settings.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { $0.contains("treat") }.map(String.init)
        #expect(treating.count == 2)
        let rest = treating.reduce(settings) { $0.replacing($1 + "\n", with: "") }
        #expect(try fixture.text("ApiCenter/Package.swift") == manifest + rest)
    }

    @Test(
        "A package outside the layers is exported without tests, and refused if they are no elements of a list"
    )
    func withoutTests() throws {
        let (folder, test) = ("Scripts/Tool", ".testTarget(name: \"ToolTests\")")
        let manifest = SmallTree.manifest("Tool")
        try fixture.tree.write(folder + "/Sources/Tool/Tool.swift", "")
        try fixture.tree.write(folder + "/CHANGELOG.md", "# Changelog\n\n## 1.0.0\n\n- First release.\n")
        try fixture.tree.edit(
            "VERSIONS.md", "| RideActions | 1.0.0 |\n", "| RideActions | 1.0.0 |\n| Tool | 1.0.0 |\n")
        try fixture.tree.write(folder + "/Package.swift", manifest + "\npackage.targets.append(\(test))\n")
        try fixture.tree.commit("A tool")
        let error = try #require(throws: ExportRefused.self) { try fixture.export("Tool") }
        #expect(error.description.contains("'\(test)' is not an element of a list"), "\(error)")
        try fixture.tree.write(folder + "/Package.swift", manifest + "\npackage.targets += [\(test)]\n")
        try fixture.tree.commit("A list")
        try fixture.export("Tool")
        #expect(try fixture.text("Tool/Package.swift") == manifest + "\npackage.targets += []\n")
    }

    @Test("An exported package has no product of previews, which only this tree's Xcode needs")
    func previews() throws {
        let manifest = "Packages/Business/Journey/Package.swift"
        let product = ".library(name: \"JourneyPreviews\", targets: [\"JourneyPreviews\"])"
        let target = ".target(name: \"JourneyPreviews\", path: \"Tests/JourneyPreviews\")"
        try fixture.tree.edit(
            manifest, "products: [", "products: [\(product), ")
        try fixture.tree.edit(manifest, "    targets: [\n", "    targets: [\n        \(target),\n")
        try fixture.tree.write("Packages/Business/Journey/Tests/JourneyPreviews/Previews.swift", "")
        try fixture.tree.commit("Previews")
        try fixture.export("Journey")
        let text = try fixture.text("Journey/Package.swift")
        #expect(!text.contains(product) && text.contains(target), "\(text)")
        #expect(text.contains(".library(name: \"Journey\", targets: [\"Journey\"])"), "\(text)")
    }

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
