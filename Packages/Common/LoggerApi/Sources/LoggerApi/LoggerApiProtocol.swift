/// Logger's interface for other modules.
///
/// All methods are thread-safe. They never report an error, because a log that cannot be written must not stop a
/// ride.
public protocol LoggerApiProtocol: Sendable {
    /// Writes a line to all loggers.
    ///
    /// If the app logs to a file, the line is in the file when this method returns. Each call then makes a
    /// few system calls, and concurrent calls wait for each other, so log events rather than every computation.
    ///
    /// - Parameters:
    ///   - level: The severity of the line.
    ///   - message: One line without secrets such as tokens or codes.
    func log(_ level: LogLevel, _ message: String)

    /// Returns the latest lines, oldest first.
    ///
    /// - Parameter limit: The maximum number of lines to return.
    func recent(limit: Int) -> [String]
}
