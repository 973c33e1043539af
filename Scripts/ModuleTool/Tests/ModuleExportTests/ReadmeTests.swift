import Foundation
import ModuleEdits
import ModuleFixtures
import Testing

@testable import ModuleExport

@Suite("READMEs of exported packages")
struct ReadmeTests {
    let fixture: ExportFixture

    init() throws { fixture = try ExportFixture() }

    @Test("A generated README contains the source's doc comment and the dependency declarations")
    func made() throws {
        try fixture.tree.edit(
            "Packages/Business/RideApi/Sources/RideApi/RideApiProtocol.swift", "may ask of Ride.\n",
            "may ask of Ride: the\n/// ``rides(limit:)``.\n///\n/// ```swift\n/// api.rides(limit: 1)\n/// ```\n///\n/// Source: seeds/1.\n"
        )
        try fixture.tree.commit("Words")
        try fixture.export("Ride")
        #expect(
            try fixture.text("RideApi/README.md") == """
                # RideApi

                What other modules may ask of Ride: the
                `rides(limit:)`.

                Callers link `RideApi`, which contains only protocols. The app links `RideApiWithImp`, \
                which also links a compatible implementation, and registers it with `RideModule`.

                ~~~swift
                // Package dependencies:
                .package(url: "../RideApi", from: "1.2.0"),
                // Dependencies of a target that calls it:
                .product(name: "RideApi", package: "RideApi"),
                // Dependencies of the app:
                .product(name: "RideApiWithImp", package: "RideApi"),
                ~~~

                What changed is in [CHANGELOG.md](CHANGELOG.md).

                ```swift
                api.rides(limit: 1)
                ```

                Exported from a monorepo, where all changes are made. The tag is the version.

                """)
        // Without a doc comment, the README has the note of the first release.
        try fixture.tree.edit(
            "Packages/Base/Mediator/CHANGELOG.md", "- First release.",
            "- First release: calls\n  by name.")
        try fixture.tree.commit("Note")
        try fixture.export("Mediator")
        #expect(
            try fixture.text("Mediator/README.md").hasPrefix(
                "# Mediator\n\nA library: calls\nby name.\n\n~~~swift\n"))
    }

    @Test("An IMP's README shows how to link the Api, and an alternative IMP's README how to link the IMP")
    func imps() throws {
        try fixture.tree.write(
            "Packages/Business/RideCheap/Package.swift",
            SmallTree.manifest("RideCheap", packages: ["../RideApi"], uses: ["RideApi"]))
        try fixture.tree.write("Packages/Business/RideCheap/Sources/RideCheap/A.swift", "import RideApi\n")
        try fixture.tree.edit(
            "VERSIONS.md", "\n\n| Library", "\n| RideCheap | Ride | 1.3.0 | >= 1.3.0 |\n\n| Library")
        try fixture.tree.commit("Another Ride")
        try fixture.export("Ride", "RideCheap")
        let ride = try fixture.text("Ride/README.md")
        #expect(ride.contains(".package(url: \"../RideApi\", from: \"1.2.0\"),"))
        #expect(ride.contains("app:\n.product(name: \"RideApiWithImp\", package: \"RideApi\"),"))
        let cheap = try fixture.text("RideCheap/README.md")
        #expect(cheap.contains("Another implementation of RideApi.") && !cheap.contains("RideCheapApi"))
        #expect(cheap.contains(".package(url: \"../RideCheap\", from: \"1.3.0\"),"))
        #expect(cheap.contains("app:\n.product(name: \"RideCheap\", package: \"RideCheap\"),"))
    }

    private let own = "Packages/Core/ApiCenter/README.md"

    @Test(
        "A package's own README gets the dependency declarations after its first paragraph",
        arguments: ["", "\n## More\n\nMore.\n"])
    func own(rest: String) throws {
        try fixture.tree.write(own, "# ApiCenter\n\nOne\nmap.\n" + rest)
        try fixture.tree.commit("README")
        try fixture.export("ApiCenter")
        let text = try fixture.text("ApiCenter/README.md")
        #expect(
            text == """
                # ApiCenter

                One
                map.

                <!-- Written by Scripts/modules export: -->

                ~~~swift
                // Package dependencies:
                .package(url: "../ApiCenter", from: "1.0.0"),
                // Dependencies of a target that calls it:
                .product(name: "ApiCenter", package: "ApiCenter"),
                ~~~

                What changed is in [CHANGELOG.md](CHANGELOG.md).

                <!-- Up to here. -->

                """ + rest)
        #expect(ExportedReadme.own(text) == "# ApiCenter\n\nOne\nmap.\n" + rest)
    }

    @Test(
        "Dependency declarations are never inserted into a code block of a README",
        arguments: [
            ("```swift\none\n\n\n```\n\nBehind.\n\nMore.", "# M\n\n```swift\none\n\n\n```"),
            ("~~~~\n~~~\n\n```\n\n~~~~\n\nMore.\n", "# M\n\n~~~~\n~~~\n\n```\n\n~~~~"),
            ("```\nnever\n\nclosed\n", "# M\n\n```\nnever\n\nclosed"),
        ])
    func fences(rest: String, before: String) throws {
        try fixture.tree.write(own, "# M\n\n" + rest)
        try fixture.tree.commit("README")
        try fixture.export("ApiCenter")
        let text = try fixture.text("ApiCenter/README.md")
        #expect(text.hasPrefix(before + "\n\n<!-- Written"), "\(text)")
    }

    @Test("A released README may differ in generated text, but not in the package's own text")
    func wording() throws {
        try fixture.tree.write(own, "# ApiCenter\n\nOne map.\n\nMore.\n")
        try fixture.tree.commit("README")
        try fixture.export("ApiCenter")
        for (old, new, isSame) in [
            ("Package dependencies", "Packages", true), ("<!-- Up", "More.\n<!-- Up", true),
            ("One map.", "Two maps.", false),
        ] {
            // Moves the tag, as if an older tool had released this text.
            let text = try fixture.text("ApiCenter/README.md").replacing(old, with: new)
            try Data(text.utf8).write(to: fixture.folder.appending(path: "ApiCenter/README.md"))
            try fixture.git("commit", "-qam", "Other words", in: "ApiCenter")
            try fixture.git("tag", "-f", "1.0.0", in: "ApiCenter")
            if isSame {
                #expect(try fixture.export("ApiCenter") == ["ApiCenter": .same])
            } else {
                let refused = #expect(throws: ExportRefused.self) { try fixture.export("ApiCenter") }
                #expect(refused?.errors.first?.what.hasSuffix("files: README.md.") == true)
            }
        }
    }

    @Test(
        "A README with a link out of the package is refused",
        arguments: [
            "[it](../Routes/README.md)", "[it](Sources/../../x.md)", "[it](/etc/x)",
            "[it](Sources/Gone.swift)",
            "[it](<../a b>)", "[it]: ../Routes", "<a href=\"../Routes\">it</a>", "![it](../it.png)",
        ])
    func links(out: String) throws {
        try fixture.tree.write("Packages/Base/Mediator/README.md", "# M\n\nSee below.\n\n\(out)\n")
        try fixture.tree.commit("README")
        let refused = #expect(throws: ExportRefused.self) { try fixture.export("Mediator") }
        #expect(refused?.errors.first?.place == "Packages/Base/Mediator/README.md:5")
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

    @Test("A change note with a link out of the package is refused")
    func notes() throws {
        try fixture.tree.edit(
            "Packages/Base/Mediator/CHANGELOG.md", "- First release.", "- See [it](Apps/Shell).")
        try fixture.tree.commit("Note")
        let refused = #expect(throws: ExportRefused.self) { try fixture.export("Mediator") }
        #expect(refused?.errors.map(\.place) == ["Packages/Base/Mediator/CHANGELOG.md:5"])
    }

    @Test("A doc comment or licence with a link out of the package is refused")
    func words() throws {
        let api = "Packages/Business/RideApi/Sources/RideApi/RideApiProtocol.swift"
        try fixture.tree.edit(api, "may ask of Ride.", "may ask of [Ride](../Ride).")
        try fixture.tree.write("LICENSE.md", "Like [that](Packages).\n")
        let refused = #expect(throws: ExportRefused.self) { try fixture.export("RideApi", isDryRun: true) }
        #expect(refused?.errors.map(\.place).contains("LICENSE.md") == true)
        try fixture.tree.remove("LICENSE.md")
        let comment = #expect(throws: ExportRefused.self) { try fixture.export("RideApi", isDryRun: true) }
        #expect(comment?.errors.map(\.place) == [api])
    }

    @Test("A DocC catalog may refer to its files by name, but a link out of the package is refused")
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
