/// Why User did not do what it was asked for.
public enum UserApiError: Error, Sendable, Hashable {
    /// The number is not one of 11 digits.
    case badPhone(String)
    /// The server does not know this number with this password.
    case wrongCredentials
    /// The server could not be asked, or the log-in was called off meanwhile; in words.
    case unreachable(String)
    /// The session could not be written; in words, with the file.
    case notSaved(String)
}
