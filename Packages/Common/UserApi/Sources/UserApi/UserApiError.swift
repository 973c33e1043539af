/// An error thrown by User's Api.
public enum UserApiError: Error, Sendable, Hashable {
    /// The phone number does not have 11 digits.
    case badPhone(String)
    /// The server rejected the phone number or the password.
    case wrongCredentials
    /// The request failed, or the log-in was cancelled. The text tells the passenger why.
    case unreachable(String)
    /// The session could not be written to disk. The text says why and names the file.
    case notSaved(String)
}
