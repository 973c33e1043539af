import Foundation
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// Sentences of the READMEs that later changes could make untrue.
@Suite("Statements in the READMEs")
struct ReadmeStatementTests {
    /// The paths of all files of the tree with this extension, without build folders.
    private static func paths(_ fileExtension: String) throws -> [String] {
        try ["Packages", "Apps", "Scripts"].flatMap { folder in
            let files = FileManager.default.enumerator(atPath: Tree.root.appending(path: folder).path)
            return try #require(files).compactMap { file -> String? in
                guard let file = file as? String else { return nil }
                if file.contains("/.build") { files?.skipDescendants() }
                return file.hasSuffix("." + fileExtension) ? "\(folder)/\(file)" : nil
            }
        }.filter { !$0.contains("/.build") }
    }

    @Test(
        "What `swift run Shell` builds has no third-party dependency, and neither has Core, Base, Common or Business"
    )
    func thirdParty() throws {
        let manifests = try ["Package.swift"] + Self.paths("swift").filter { $0.hasSuffix("/Package.swift") }
        let remote = try manifests.filter { try Tree.text($0).contains("url: \"") }
        #expect(remote.contains("Apps/Host/Package.swift"))
        #expect(
            remote.filter { path in
                !["Packages/Adapters/", "Apps/Host/", "Scripts/"].contains { path.hasPrefix($0) }
            } == [])
    }

    @Test("Every text that names the required Swift version names 6.3")
    func swiftVersion() throws {
        let texts = try Self.paths("md") + ["README.md"]
        let wrong = try texts.filter {
            try Tree.text($0).contains(/(needs?|requires?)( only)?( the)? \[?Swift\s+6(?!\.3)/)
        }
        #expect(wrong == [])
    }
}
#endif
