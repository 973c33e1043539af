import Foundation
import TestSupport

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// Runs the Shell executable that was built together with these tests.
enum Shell {
    /// Runs the Shell with a data folder, by default an empty temporary one, and never with the user's data.
    static func run(_ arguments: String..., data: TemporaryFolder? = nil) throws -> Finished {
        try run(arguments, data: data)
    }

    static func run(
        _ arguments: [String], data: TemporaryFolder? = nil, environment: [String: String] = [:]
    ) throws -> Finished {
        let folder = try data ?? TemporaryFolder(), home = try TemporaryFolder()
        defer { withExtendedLifetime((folder, home)) {} }
        return try Process.run(
            executable(), ["--data", folder.path] + arguments, in: Tree.root,
            environment: environment.merging(["XDG_DATA_HOME": home.path]) { named, _ in named })
    }

    /// Runs the Shell with `--json` and decodes the day from its output.
    static func day(data: TemporaryFolder, environment: [String: String] = [:]) throws -> DayRecord {
        let run = try run(["--json"], data: data, environment: environment)
        return try JSONDecoder().decode(Launched.self, from: Data(run.output.utf8)).day
    }

    static func executable() throws -> String {
        // The test bundle and the executable are in the same folder.
        var folder = Bundle(for: Marker.self).bundleURL
        while !FileManager.default.isExecutableFile(atPath: folder.appending(path: "Shell").path) {
            precondition(folder.path != "/", "no Shell beside the tests. Build it: swift build")
            folder.deleteLastPathComponent()
        }
        return folder.appending(path: "Shell").path
    }

    private struct Launched: Decodable {
        let day: DayRecord
    }

    private final class Marker {}
}

/// A day, decoded from the Shell's JSON output.
struct DayRecord: Decodable {
    struct Step: Decodable {
        let title: String
        let outcomes: [Outcome]
        let calls: [Call]
    }

    struct Outcome: Decodable {
        let text: String
        let isRefusal: Bool
    }

    struct Call: Decodable {
        let way, callee, name: String
        let caller, file, error: String?
        let line: Int?
        let isAbsent: Bool
    }

    let data: String?
    let server: String
    let setAside: [String]
    let steps: [Step]

    /// The messages to the passenger in a step. Refusals have the prefix `- `.
    subscript(title: String) -> [String] {
        steps.first { $0.title == title }?.outcomes.map { ($0.isRefusal ? "- " : "") + $0.text } ?? []
    }

    var calls: [Call] { steps.flatMap(\.calls) }
}
#endif
