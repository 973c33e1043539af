/// An error thrown by Ride's Api.
public enum RideApiError: Error, Sendable, Hashable {
    /// No user session exists.
    case notLoggedIn
    /// The passenger has not opened the service.
    case serviceNotOpen
    /// The passenger has not selected a payment method.
    case noPayType
    /// The line has no station with this name.
    case unknownStation(String)
    /// The gate refused the code.
    case codeRefused(RideCodeRefusal)
    /// The gate has opened, but the payment of the fare was refused, so the ride continues until a later exit is paid. If
    /// the passenger has begun another ride meanwhile, the payment is repeated instead. The text tells the passenger why.
    case paymentRefused(String)
    /// The gate has opened and the ride has ended, but its payment is not confirmed: the operator's answer is missing, or it
    /// has refused the payment and this device could not save that the ride continues. Ride repeats the payment at the
    /// passenger's next passage and at the next launch; the fare is taken once. The text tells the passenger why.
    case paymentUnknown(String)
    /// This device could not save the ride. The text says why, for the log and not for passengers.
    case notSaved(String)
    /// The gates or their events could not be reached, or the app has no Gate module. The text tells the passenger why.
    case unreachable(String)
}

/// The reason why a gate refused a code.
public enum RideCodeRefusal: Sendable, Hashable {
    /// The issuer does not know the code.
    case unknown
    /// The code has expired.
    case expired
    /// The code has already opened a gate.
    case used
    /// The passenger has a newer code.
    case replaced
}
