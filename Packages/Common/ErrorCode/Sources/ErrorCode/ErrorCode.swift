/// A number by which the server's answers (`{code, msg, data}`) and the modules say what became of a request.
///
/// All that the business interfaces use are here, so that nobody needs another module to understand an answer
/// (seed 4: UserManager and SDKManager depend on this component directly). The thousands say whose it is:
///
/// | Numbers | Of                                        |
/// |---------|-------------------------------------------|
/// | 0       | Success                                   |
/// | 1xxx    | The user: who asks                        |
/// | 2xxx    | The SDK: how the app was set up           |
/// | 3xxx    | The service: whether the user may ride    |
/// | 4xxx    | The ride: codes and gates                 |
/// | 5xxx    | Payment                                   |
/// | 9xxx    | The server                                |
///
/// A number keeps its meaning for ever, as old apps go on asking new servers. For the same reason a number
/// that this app does not know is no error: it is kept, and described as unknown.
///
/// As JSON it is the bare number.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, Codable {
    /// The number in the server's answer.
    public let rawValue: Int

    /// The code of that number, known or not.
    public init(rawValue: Int) { self.rawValue = rawValue }
}

extension ErrorCode {
    /// It was done.
    public static let success = ErrorCode(rawValue: 0)

    /// Nobody is logged in, and the request needs a user.
    public static let notLoggedIn = ErrorCode(rawValue: 1001)
    /// There is no such user, or the password is another.
    public static let wrongCredentials = ErrorCode(rawValue: 1002)
    /// The session was valid once.
    public static let sessionExpired = ErrorCode(rawValue: 1003)

    /// The SDK was given a configuration that it cannot work with.
    public static let invalidConfiguration = ErrorCode(rawValue: 2001)
    /// The SDK was asked before it was initialised.
    public static let notInitialised = ErrorCode(rawValue: 2002)

    /// The service cannot be opened before the user has agreed to its terms.
    public static let termsNotAgreed = ErrorCode(rawValue: 3001)
    /// The request is for users who have opened the service.
    public static let serviceNotOpen = ErrorCode(rawValue: 3002)

    /// The gate was shown a code that nobody issued, or so long ago that it is forgotten.
    public static let codeUnknown = ErrorCode(rawValue: 4001)
    /// The code was valid for a time that is over.
    public static let codeExpired = ErrorCode(rawValue: 4002)
    /// The code has opened a gate before.
    public static let codeUsed = ErrorCode(rawValue: 4003)
    /// The passenger was issued a newer code.
    public static let codeReplaced = ErrorCode(rawValue: 4004)
    /// The passenger leaves without having entered.
    public static let notEntered = ErrorCode(rawValue: 4005)
    /// The passenger enters without having left.
    public static let alreadyEntered = ErrorCode(rawValue: 4006)

    /// There is no such way to pay.
    public static let payTypeUnknown = ErrorCode(rawValue: 5001)
    /// This passenger may not pay in this way.
    public static let payTypeRefused = ErrorCode(rawValue: 5002)
    /// Whoever keeps the money refused the payment.
    public static let paymentRefused = ErrorCode(rawValue: 5003)
    /// There is less money than the ride costs.
    public static let notEnoughBalance = ErrorCode(rawValue: 5004)

    /// The server failed and cannot say how.
    public static let unknown = ErrorCode(rawValue: 9999)
}
