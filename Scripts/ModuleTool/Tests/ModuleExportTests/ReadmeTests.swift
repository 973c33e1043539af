import Foundation
import ModuleEdits
import ModuleFixtures
import Testing

@testable import ModuleExport

@Suite("The README of an exported package")
struct ReadmeTests {
    let fixture: ExportFixture

    init() throws { fixture = try ExportFixture() }

    @Test("says what the package is, in the words of its sources, and how to depend on it")
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

                Callers link `RideApi`: protocols alone. The app links `RideApiWithImp`, which brings the \
                implementation that this version works with, or a later one, and has `RideModule` to register it.

                ~~~swift
                // dependencies of the package:
                .package(url: "../RideApi", from: "1.2.0"),
                // dependencies of a target that calls it:
                .product(name: "RideApi", package: "RideApi"),
                // dependencies of the app:
                .product(name: "RideApiWithImp", package: "RideApi"),
                ~~~

                What changed is in [CHANGES.md](CHANGES.md).

                ```swift
                api.rides(limit: 1)
                ```

                Exported from a monorepo, with the version as its tag: changes are made there.

                """)
        // Without a comment, what the first release brought.
        try fixture.tree.edit(
            "VERSIONS.md", "## Mediator\n\n### 1.0.0\n\n- First release.",
            "## Mediator\n\n### 1.0.0\n\n- First release: calls\n  by name.")
        try fixture.tree.commit("Note")
        try fixture.export("Mediator")
        #expect(
            try fixture.text("Mediator/README.md").hasPrefix(
                "# Mediator\n\nA library: calls\nby name.\n\n~~~swift\n"))
    }

    @Test("sends an app to the Api, or says of an alternative IMP how to take it")
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
        "is the package's own, with how to depend on it behind the first paragraph",
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
                // dependencies of the package:
                .package(url: "../ApiCenter", from: "1.0.0"),
                // dependencies of a target that calls it:
                .product(name: "ApiCenter", package: "ApiCenter"),
                ~~~

                What changed is in [CHANGES.md](CHANGES.md).

                <!-- Up to here. -->

                """ + rest)
        #expect(ExportedReadme.own(text) == "# ApiCenter\n\nOne\nmap.\n" + rest)
    }

    @Test(
        "has how to depend on it behind code, and not in it",
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

    @Test("may be released in other words of the tool's, and not in other words of the package's")
    func wording() throws {
        try fixture.tree.write(own, "# ApiCenter\n\nOne map.\n\nMore.\n")
        try fixture.tree.commit("README")
        try fixture.export("ApiCenter")
        for (old, new, isSame) in [
            ("dependencies of the package", "packages", true), ("<!-- Up", "More.\n<!-- Up", true),
            ("One map.", "Two maps.", false),
        ] {
            // As if it had been released so.
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
        "must not lead out of the package",
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

    @Test("may lead to its files and headings, and to the web")
    func goodLinks() throws {
        try fixture.tree.write(
            "Packages/Base/Mediator/README.md",
            """
            # M

            [a](#more) [b](https://x.example/../y) [c](Sources/Mediator) [d](./Sources/../CHANGES.md#top)
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

    @Test("and the notes of a version must not lead out of the package either")
    func notes() throws {
        try fixture.tree.edit(
            "VERSIONS.md", "## Mediator\n\n### 1.0.0\n",
            "## Mediator\n\n### 1.0.0\n\n- See [it](Apps/Shell).\n")
        try fixture.tree.commit("Note")
        let refused = #expect(throws: ExportRefused.self) { try fixture.export("Mediator") }
        #expect(refused?.errors.map(\.place) == ["VERSIONS.md, Mediator"])
        // Nor may a file of the package hide them, which they replace.
        try fixture.tree.write("Packages/Base/Mediator/CHANGES.md", "None.\n")
        #expect(throws: ExportRefused.self) { try fixture.export("Mediator", usesGit: false) }
    }

    @Test("and neither must the comment that the README is made of, nor the licence")
    func words() throws {
        let api = "Packages/Business/RideApi/Sources/RideApi/RideApiProtocol.swift"
        try fixture.tree.edit(api, "may ask of Ride.", "may ask of [Ride](../Ride).")
        try fixture.tree.write("LICENSE.md", "Like [that](Packages).\n")
        let refused = #expect(throws: ExportRefused.self) { try fixture.export("RideApi", usesGit: false) }
        #expect(refused?.errors.map(\.place).contains("LICENSE.md") == true)
        try fixture.tree.remove("LICENSE.md")
        let comment = #expect(throws: ExportRefused.self) { try fixture.export("RideApi", usesGit: false) }
        #expect(comment?.errors.map(\.place) == [api])
    }

    @Test("may name files of a catalog of DocC, wherever there they are, and must not lead out of it either")
    func catalog() throws {
        let catalog = "Packages/Base/Mediator/Sources/Mediator/Mediator.docc"
        try fixture.tree.write(catalog + "/Mediator.md", "![It](over.png) <doc:Calls> ![It](over)\n")
        try fixture.tree.write(catalog + "/Resources/over.png", "")
        try fixture.export("Mediator", usesGit: false)
        try fixture.tree.write(catalog + "/Mediator.md", "[it](../../../../Lifecycle)\n")
        let refused = #expect(throws: ExportRefused.self) { try fixture.export("Mediator", usesGit: false) }
        #expect(refused?.errors.map(\.place) == [catalog + "/Mediator.md:1"])
    }
}
