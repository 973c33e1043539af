/// Why a gate stays closed for a code.
public enum RideCodeError: Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Nobody issued it, or so long ago that it is forgotten.
    case unknown
    /// Its time is over, and no gate has seen it before.
    case expired
    /// It has opened a gate already.
    case used
    /// The passenger was issued a newer code.
    case replaced

    /// What is wrong, why it matters, and what to do.
    public var description: String {
        switch self {
        case .unknown:
            "the issuer does not know this code. Codes are random, so it was misread or made up, or is long "
                + "gone. Scan it again, or issue a new one."
        case .expired:
            "this code's time is over. A short life keeps photographs of codes worthless. Issue a new one."
        case .used:
            "this code has opened a gate already. A code is for one passage. Issue a new one."
        case .replaced:
            "the passenger was issued a newer code. Only the newest one is valid. Show that one, or issue a new "
                + "one."
        }
    }
}
