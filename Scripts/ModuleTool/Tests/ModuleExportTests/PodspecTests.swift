import Foundation
import ModuleFixtures
import ModuleTree
import ModuleVersions
import Testing

@testable import ModuleExport

@Suite("Exported podspecs")
struct PodspecTests {
    let fixture: ExportFixture

    init() throws { fixture = try ExportFixture() }

    @discardableResult
    private func export(
        _ name: String, license: String? = "MIT", authors: String = "Ann Author, Bob"
    ) throws -> [String: Export.Outcome] {
        let addresses = try AddressTemplate("https://github.com/acme/{name}.git")
        let podspecs = try Podspecs(addresses: addresses, license: license, authors: authors)
        return try fixture.export(name, addresses: addresses, podspecs: podspecs)
    }

    @Test("Exported podspecs follow the example in the source document (seed 1)")
    func podspecs() throws {
        try export("Ride")
        #expect(
            try fixture.text("RideApi/RideApiWithImp.podspec") == """
                Pod::Spec.new do |s|
                  s.name = "RideApiWithImp"
                  s.version = "1.2.0"
                  s.summary = "RideApiWithImp, exported from a monorepo of Swift packages."
                  s.homepage = "https://github.com/acme/RideApi"
                  s.license = { :type => "MIT" }
                  s.authors = ["Ann Author", "Bob"]
                  s.source = { :git => "https://github.com/acme/RideApi.git", :tag => "1.2.0" }
                  s.source_files = "Sources/RideApiWithImp/**/*.swift"
                  s.swift_version = "6.0"
                  s.dependency "Ride", ">= 1.1.0"
                  s.dependency "RideApi", ">= 1.2.0"
                end

                """)
        let ride = try fixture.text("Ride/Ride.podspec")
        #expect(
            ride.matches(of: /s\.dependency "(\w+)", ">= (.*)"/).map { "\($0.1) \($0.2)" } == [
                "ApiCenter 1.0.0", "Lifecycle 1.1.0", "RideApi 1.2.0",
            ])
        #expect(try !fixture.text("RideApi/RideApi.podspec").contains("s.dependency"))
    }

    @Test("Exporting podspecs requires addresses, authors and a licence")
    func given() throws {
        let addresses = try AddressTemplate("https://github.com/acme/{name}")
        for (template, license, authors, fix) in [
            (AddressTemplate.siblings, "MIT", "Ann", "--url"), (addresses, "MIT", nil, "--authors"),
            (addresses, "MIT", " , ", "--authors"), (addresses, " ", "Ann", "--license"),
        ] {
            let error = #expect(throws: ToolError.self) {
                try Podspecs(addresses: template, license: license, authors: authors)
            }
            #expect(error?.kind == .configuration && error?.fix.contains(fix) == true, "\(fix)")
        }
        let refused = #expect(throws: ExportRefused.self) { try export("Ride", license: nil) }
        // A single error covers all packages.
        #expect(refused?.errors.map(\.what) == ["podspecs need a licence."])
        try fixture.tree.edit(
            "Packages/Base/Mediator/Package.swift", "// swift-tools-version: 6.3", "// Old.")
        try fixture.tree.commit("No tools")
        let versionless = #expect(throws: ExportRefused.self) { try export("Mediator") }
        #expect(versionless?.errors.first?.fix == "Begin it with: // swift-tools-version: 6.3")
    }

    @Test("A podspec has the package's platforms, and the licence named in the first line of LICENSE")
    func podspecDetails() throws {
        try fixture.tree.write("LICENSE", "\n# The \"#{do}\" licence\n\nDo as you like.\n")
        try fixture.tree.edit(
            "Packages/Base/Mediator/Package.swift", "    products:",
            "    platforms: [.macOS(.v10_15), .iOS(.v18)],\n    products:")
        try fixture.tree.commit("More")
        try export("Mediator", license: nil)
        let spec = try fixture.text("Mediator/Mediator.podspec")
        #expect(
            spec.contains("  s.osx.deployment_target = \"10.15\"\n  s.ios.deployment_target = \"18.0\"\n"))
        #expect(
            spec.contains("s.license = { :type => \"The \\\"\\#{do}\\\" licence\", :file => \"LICENSE\" }"))
        #expect(try fixture.text("Mediator/LICENSE") == fixture.tree.read("LICENSE"))
    }

    @Test("In a podspec, a package's own licence replaces the tree's licence")
    func ownLicense() throws {
        try fixture.tree.write("LICENSE", "The tree's\n")
        try fixture.tree.write("Packages/Base/Mediator/LICENSE.md", "# Its own\n")
        try fixture.tree.write("Packages/Base/Mediator/LICENSES/Other.txt", "Another\n")
        try fixture.tree.commit("Licences")
        try export("RideActions", license: nil)
        let own = try fixture.text("Mediator/Mediator.podspec")
        #expect(own.contains(#":type => "Its own", :file => "LICENSE.md""#))
        #expect(throws: (any Error).self) { try fixture.text("Mediator/LICENSE") }
        let other = try fixture.text("RideActions/RideActions.podspec")
        #expect(other.contains(#":type => "The tree's", :file => "LICENSE""#))
    }

    @Test("A released podspec may keep its old authors and licence, but not old dependencies")
    func wording() throws {
        #expect(try Set(export("RideActions").values) == [.new])
        #expect(try Set(export("RideActions", license: "Apache-2.0", authors: "Zoë").values) == [.same])
        #expect(try fixture.text("Mediator/Mediator.podspec").contains("Ann Author"))
        // Moves the tag, as if an older tool had released the podspec with this minimum version.
        let file = "RideActions/RideActions.podspec"
        let text = try fixture.text(file).replacing(">= 1.0.0", with: ">= 0.9.0")
        try Data(text.utf8).write(to: fixture.folder.appending(path: file))
        try fixture.git("commit", "-qam", "Other floor", in: "RideActions")
        try fixture.git("tag", "-f", "1.0.0", in: "RideActions")
        let refused = #expect(throws: ExportRefused.self) { try export("RideActions") }
        #expect(refused?.errors.first?.what.hasSuffix("files: RideActions.podspec.") == true)
    }

    @Test("A package with dependencies outside the tree gets no podspec")
    func foreign() throws {
        try fixture.tree.edit(
            "Packages/Base/Mediator/Package.swift", "    dependencies: [\n",
            "    dependencies: [\n        .package(url: \"https://github.com/apple/swift-log\", from: \"1.0.0\"),\n"
        )
        try fixture.tree.commit("Log")
        try export("RideActions")
        #expect(try fixture.text("Mediator/Package.swift").contains("apple/swift-log\", from: \"1.0.0\""))
        #expect(throws: (any Error).self) { try fixture.text("Mediator/Mediator.podspec") }
        #expect(try fixture.text("RideActions/RideActions.podspec").contains("\"Mediator\", \">= 1.0.0\""))
    }

    @Test(
        "Escaped text can neither end a Ruby string literal nor run as code",
        arguments: [
            ("Ann é 名 👩‍👩‍👧 `ls` % 'end'", "Ann é 名 👩‍👩‍👧 `ls` % 'end'"), ("\"", "\\\""), ("\\", "\\\\"),
            ("\\\"", "\\\\\\\""), ("#{exit} #@a #$0", "\\#{exit} \\#@a \\#$0"),
            ("\r\n\t\0\u{7f}\u{85}", "\\u{d}\\u{a}\\u{9}\\u{0}\\u{7f}\\u{85}"),
        ])
    func literal(text: String, escaped: String) {
        #expect(RubyLiteral.string(text) == "\"\(escaped)\"")
    }
}
