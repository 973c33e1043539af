/// Why Ride did not do what it was asked for.
public enum RideApiError: Error, Sendable, Hashable {
    /// No user session exists.
    case notLoggedIn
    /// The passenger has not opened the service.
    case serviceNotOpen
    /// The passenger has not picked what to pay with.
    case noPayType
    /// No gate is at a station of this name.
    case unknownStation(String)
    /// The gate does not take the code.
    case codeRefused(RideCodeRefusal)
    /// The fare could not be taken; why, for the passenger.
    case paymentRefused(String)
    /// What was to be kept could not be written; in words, with the file.
    case notSaved(String)
}

/// Why a gate does not take a code.
public enum RideCodeRefusal: Sendable, Hashable {
    /// The issuer does not know it.
    case unknown
    /// Its time is over.
    case expired
    /// It has opened a gate already.
    case used
    /// The passenger got another one since.
    case replaced
}
