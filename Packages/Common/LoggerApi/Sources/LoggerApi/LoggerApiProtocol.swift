/// Logger's interface for other modules.
///
/// All methods are thread-safe. They never report an error, because a log that cannot be written must not stop a
/// ride.
public protocol LoggerApiProtocol: Sendable {
    /// Writes a line to all loggers.
    ///
    /// Returns without waiting for the disk. If the app logs to a file, the line is written soon afterwards, in the order of
    /// the calls, and at the latest when the app's background or terminate event has been handled. A crash may lose the last
    /// lines, and a line that cannot be written is lost.
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
