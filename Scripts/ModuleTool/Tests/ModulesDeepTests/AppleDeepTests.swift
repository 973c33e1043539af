#if os(Linux)
import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

@Suite("Scripts/apple, in a tree that init has created")
struct AppleDeepTests {
    @Test("The app for iOS compiles for Apple's platforms, and a mistake in each part is found")
    func app() throws {
        let tree = try NewTree()
        try tree.expect("init app --app Tram --ios")
        // With the user's cache, which contains the libraries of the platforms.
        func check() throws -> Command.Output {
            let script = HouseFiles.root.appending(path: "Scripts/apple").path
            return try Command.run([script, "--root", tree.root], in: "/")
        }
        let output = try check()
        #expect(output.status == 0, "\(output.text)\(output.standardError)")
        #expect(output.text.contains(" for 5 platforms, 0 findings"), "\(output.text)")
        let mistakes = [
            "Apps/Tram/Sources/TramUI/TramWindow.swift": "canImport(SwiftUI)",
            "Apps/Tram/Sources/AppModules/Registrations.swift": "Greeting",
            "Packages/Business/Greeting/Tests/GreetingPreviews/GreetingPreviews.swift": "canImport(SwiftUI)",
        ]
        for (path, condition) in mistakes {
            try tree.place.write(
                "app/" + path, tree.read(path) + "\n#if \(condition)\nlet wrong: Missing = 1\n#endif\n")
        }
        let found = try check()
        #expect(found.status == 1)
        for path in mistakes.keys { #expect(found.text.contains("\(path):"), "\(found.text)") }
    }
}
#endif
