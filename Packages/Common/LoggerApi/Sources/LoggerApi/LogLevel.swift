/// How much a line of the log matters.
public enum LogLevel: String, Sendable, Hashable, CaseIterable {
    /// What happened, as it should.
    case info
    /// What did not go as it should, and was survived.
    case warning
    /// What failed.
    case error
}
