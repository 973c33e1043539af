import Foundation

/// The Shell that was built with these tests.
enum Shell {
    static func run(_ arguments: String...) throws -> Finished { try run(arguments) }

    static func run(_ arguments: [String]) throws -> Finished {
        // The test bundle and the executables lie in the same folder.
        var folder = Bundle(for: Marker.self).bundleURL
        while !FileManager.default.isExecutableFile(atPath: folder.appending(path: "Shell").path) {
            precondition(folder.path != "/", "no Shell beside the tests; build it: swift build")
            folder.deleteLastPathComponent()
        }
        return try Process.run(folder.appending(path: "Shell").path, arguments, in: Tree.root)
    }

    private final class Marker {}
}
