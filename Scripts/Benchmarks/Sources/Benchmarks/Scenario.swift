import Foundation

/// An operation whose instructions `bench --instructions` counts. Unlike times, the numbers of instructions hardly
/// depend on the machine's other work, so a change of a few percent is visible.
struct Scenario: Sendable {
    /// The scenario's name on the command line.
    let name: String
    /// The number of operations to count, large enough that random differences between two starts of the process do
    /// not matter.
    let rounds: Int
    /// Prepares the operation. The returned closure performs a given number of operations, one after the other.
    let prepare: @Sendable () throws -> (Int) -> Void

    /// All scenarios, in the order in which the help lists them.
    static let all = [lookUp, routeCall, routeMatch, routeMiss, link, mediatorCall, registrations] + requests

    /// The scenarios' names, for the help and for errors.
    static var names: String { all.map(\.name).joined(separator: ", ") }

    /// The number of instructions per operation, on all threads of the process.
    ///
    /// Callgrind counts two runs, one of which performs more operations. Their difference contains neither the start of
    /// the process nor the preparation.
    ///
    /// - Throws: ``Run/Failure`` if one of the runs fails, or if its result cannot be read.
    func instructions(valgrind: String) throws -> Double {
        let few = rounds / 10
        let fewer = try count(few, valgrind), more = try count(few + rounds, valgrind)
        return (more - fewer) / Double(rounds)
    }

    /// The number of instructions of a process that performs `rounds` operations.
    private func count(_ rounds: Int, _ valgrind: String) throws -> Double {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "callgrind-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try Run(
            [
                valgrind, "--quiet", "--tool=callgrind", "--callgrind-out-file=\(file.path)",
                Bundle.main.executablePath ?? CommandLine.arguments[0],
                "--instructions", name, "--rounds", "\(rounds)",
            ],
            environment: ["SWIFT_DETERMINISTIC_HASHING": "1"], allowing: [0])
        let text = try String(contentsOf: file, encoding: .utf8)
        guard let total = text.firstMatch(of: /(?m)^totals: (\d+)/).flatMap({ Double($0.1) }) else {
            throw Run.Failure(description: "\(valgrind) counted nothing: its result has no line 'totals:'.")
        }
        return total
    }

    /// The path of `valgrind`, or nil if no folder of `PATH` contains it.
    static var valgrind: String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/valgrind" }.first(where: FileManager.default.isExecutableFile)
    }
}
