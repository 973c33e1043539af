import Foundation
import LoggerApi

/// One line of a log: the time, the level and the message.
struct LogLine {
    let text: String

    /// Joins the lines of the message into one, so that a message cannot forge log lines.
    init(_ level: LogLevel, _ message: String) {
        let message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        text = "\(Date().formatted(.iso8601)) \(level.rawValue) \(message)"
    }
}
