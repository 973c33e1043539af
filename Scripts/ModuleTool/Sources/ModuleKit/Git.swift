import Foundation

/// Runs git. No other code of the tool starts it.
package enum Git {
    /// Runs git in a folder. A non-zero exit status is a result, not an error.
    ///
    /// - Parameter variables: Environment variables in addition to the tool's own.
    package static func output(
        _ arguments: [String], in folder: String, with variables: [String: String] = [:],
        input: Data = Data()
    ) throws -> Command.Output {
        try Command.run(["git"] + arguments, in: folder, with: variables, input: input)
    }

    /// Runs git in a folder.
    ///
    /// - Parameter failure: Creates the error for a non-zero exit status.
    package static func run(
        _ arguments: [String], in folder: String, input: Data = Data(),
        failure: (Command.Output) -> Diagnostic
    ) throws -> Command.Output {
        let output = try output(arguments, in: folder, input: input)
        guard output.status == 0 else { throw failure(output) }
        return output
    }
}
