/// An error thrown by Gate's Api.
public enum GateApiError: Error, Codable, Sendable, Hashable {
    /// The code was never issued, expired more than a day ago, or has been forgotten by the ledger.
    case codeUnknown
    /// The code expired before a gate accepted it.
    case codeExpired
    /// The code has already opened a gate, in an attempt with another key.
    case codeUsed
    /// The passenger was issued a newer code.
    case codeReplaced
    /// The code was issued to another passenger, for whom it stays valid.
    case codeOfAnother
    /// The Gate could not save a code or a passage, or report a passage to the operator. The text says why, for the log
    /// and not for passengers. A passage may have used the code, so repeat its call with the same key.
    case notSaved(String)
    /// The Gate is on another machine and did not answer. The text says why, for the log and not for passengers. The call
    /// may have taken effect. The client of a remote Gate throws this error; a Gate in the same process never does.
    case unreachable(String)
}
