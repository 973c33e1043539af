/// What other modules may ask of Logger: to write down what happens.
///
/// Every call is safe from any task and never fails for its caller: a log that cannot be written is no reason to
/// stop a ride.
public protocol LoggerApiProtocol: Sendable {
    /// Writes a line down. It is in the file, where there is one, when this returns: a call is a few calls of the
    /// system, one after the other for all tasks. Log what happens, not what is computed.
    ///
    /// - Parameters:
    ///   - level: How much it matters.
    ///   - message: One line, without secrets: no tokens, no codes.
    func log(_ level: LogLevel, _ message: String)

    /// The latest lines, oldest first.
    ///
    /// - Parameter limit: The most lines to return.
    func recent(limit: Int) -> [String]
}
