/// A failure, as the user reads it.
public struct PageError: Error, Sendable, CustomStringConvertible {
    /// One or two sentences: what happened, and what to do.
    public let sentence: String
    /// The field whose value is wrong; nil for other failures.
    public let field: String?
    /// A row that leads out of the failure, such as to the page where the user can log in.
    public let wayOut: PageRow?
    /// The reason for the log, which the user does not read; nil if the sentence says it all.
    public let reason: String?

    /// Creates an error.
    public init(
        _ sentence: String, field: String? = nil, wayOut: PageRow? = nil, reason: String? = nil
    ) {
        (self.sentence, self.field, self.wayOut, self.reason) = (sentence, field, wayOut, reason)
    }

    /// Returns a `PageError` unchanged. For any other error, the user reads a general sentence. The error's own text is for
    /// developers, so it becomes the reason, which only the log contains.
    public static func from(_ error: any Error) -> PageError {
        error as? PageError
            ?? PageError("This did not work. Please try again.", reason: String(describing: error))
    }

    /// The sentence and the reason, for the log.
    public var description: String { reason.map { "\(sentence) (\($0))" } ?? sentence }
}
