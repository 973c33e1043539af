import Foundation
import LoggerApi

/// One line of a log: when, how much it matters, and what.
struct LogLine {
    let text: String

    /// A message of several lines becomes one, so that nobody can write lines in another's name.
    init(_ level: LogLevel, _ message: String) {
        let message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        text = "\(Date().formatted(.iso8601)) \(level.rawValue) \(message)"
    }
}
