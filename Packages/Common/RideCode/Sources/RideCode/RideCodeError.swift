/// The reason why a code does not open a gate.
public enum RideCodeError: Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The code was never issued, or was issued so long ago that the issuer has forgotten it.
    case unknown
    /// The code expired before a gate accepted it.
    case expired
    /// The code has already opened a gate.
    case used
    /// The passenger was issued a newer code.
    case replaced

    /// The problem with the code, the reason for the rule, and the remedy.
    public var description: String {
        switch self {
        case .unknown:
            "the issuer does not know this code. Codes are random, so this one was misread, made up, or issued "
                + "too long ago. Scan it again, or issue a new one."
        case .expired:
            "this code has expired. Codes are short-lived so that a photograph of one is useless. Issue a new one."
        case .used:
            "this code has already opened a gate. A code is valid for one passage. Issue a new one."
        case .replaced:
            "the passenger was issued a newer code. Only the newest one is valid. Show that one, or issue a new "
                + "one."
        }
    }
}
