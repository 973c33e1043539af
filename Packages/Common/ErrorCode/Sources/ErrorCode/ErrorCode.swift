/// The outcome of a request as a number, in server responses (`{code, desc, data}`) and between modules.
///
/// This package defines every code that the business interfaces use, so a module needs no other module to
/// interpret a response (seed 4: UserManager and SDKManager depend on this component directly). The thousands
/// digit identifies the area:
///
/// | Numbers | Area                                      |
/// |---------|-------------------------------------------|
/// | 0       | Success                                   |
/// | 1xxx    | The user who sends the request            |
/// | 2xxx    | The SDK: the app's configuration          |
/// | 3xxx    | The service: whether the user may ride    |
/// | 4xxx    | The ride: codes and gates                 |
/// | 5xxx    | Payment                                   |
/// | 9xxx    | The server                                |
///
/// A number never changes its meaning, because old apps keep talking to new servers. For the same reason, an
/// unknown number is not a decoding error: the value keeps the number and describes it as unknown.
///
/// In JSON, a code is a plain number.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, Codable {
    /// The number in the server's response.
    public let rawValue: Int

    /// Creates a code from any number, known or unknown.
    public init(rawValue: Int) { self.rawValue = rawValue }
}

extension ErrorCode {
    /// The request succeeded.
    public static let success = ErrorCode(rawValue: 0)

    /// The request requires a login, and nobody is logged in.
    public static let notLoggedIn = ErrorCode(rawValue: 1001)
    /// The user does not exist, or the password is wrong.
    public static let wrongCredentials = ErrorCode(rawValue: 1002)
    /// The session has expired.
    public static let sessionExpired = ErrorCode(rawValue: 1003)

    /// The SDK's configuration is invalid.
    public static let invalidConfiguration = ErrorCode(rawValue: 2001)
    /// The SDK was used before it was initialised.
    public static let notInitialised = ErrorCode(rawValue: 2002)

    /// The user has to agree to the terms before the service can be opened.
    public static let termsNotAgreed = ErrorCode(rawValue: 3001)
    /// The user must open the service before sending this request.
    public static let serviceNotOpen = ErrorCode(rawValue: 3002)

    /// The code was never issued, or was issued so long ago that the issuer has forgotten it.
    public static let codeUnknown = ErrorCode(rawValue: 4001)
    /// The code has expired.
    public static let codeExpired = ErrorCode(rawValue: 4002)
    /// The code has already opened a gate.
    public static let codeUsed = ErrorCode(rawValue: 4003)
    /// The passenger was issued a newer code.
    public static let codeReplaced = ErrorCode(rawValue: 4004)
    /// The passenger tries to leave without having entered.
    public static let notEntered = ErrorCode(rawValue: 4005)
    /// The passenger tries to enter without having left.
    public static let alreadyEntered = ErrorCode(rawValue: 4006)
    /// The gates cannot be reached.
    public static let gateUnreachable = ErrorCode(rawValue: 4007)

    /// The payment method does not exist.
    public static let payTypeUnknown = ErrorCode(rawValue: 5001)
    /// This passenger may not use this payment method.
    public static let payTypeRefused = ErrorCode(rawValue: 5002)
    /// The bank or the payment provider refused the payment.
    public static let paymentRefused = ErrorCode(rawValue: 5003)
    /// The balance is lower than the fare.
    public static let notEnoughBalance = ErrorCode(rawValue: 5004)

    /// The server failed for an unknown reason.
    public static let unknown = ErrorCode(rawValue: 9999)
}
