/// The severity of a log line.
public enum LogLevel: String, Sendable, Hashable, CaseIterable {
    /// A normal event.
    case info
    /// A problem that the app handled.
    case warning
    /// A failure.
    case error
}
