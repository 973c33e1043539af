import Foundation
import TestSupport

/// The Shell that was built with these tests.
enum Shell {
    /// Runs it on the data of a folder: never on the user's.
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

    /// Runs it and decodes the day of what it says with `--json`.
    static func day(data: TemporaryFolder, environment: [String: String] = [:]) throws -> DayRecord {
        let run = try run(["--json"], data: data, environment: environment)
        return try JSONDecoder().decode(Launched.self, from: Data(run.output.utf8)).day
    }

    static func executable() throws -> String {
        // The test bundle and the executables lie in the same folder.
        var folder = Bundle(for: Marker.self).bundleURL
        while !FileManager.default.isExecutableFile(atPath: folder.appending(path: "Shell").path) {
            precondition(folder.path != "/", "no Shell beside the tests; build it: swift build")
            folder.deleteLastPathComponent()
        }
        return folder.appending(path: "Shell").path
    }

    private struct Launched: Decodable {
        let day: DayRecord
    }

    private final class Marker {}
}

/// A day, as the Shell tells it to machines.
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

    /// What the passenger was told in a step, a refusal with `- ` before it.
    subscript(title: String) -> [String] {
        steps.first { $0.title == title }?.outcomes.map { ($0.isRefusal ? "- " : "") + $0.text } ?? []
    }

    var calls: [Call] { steps.flatMap(\.calls) }
}
