extension ErrorCode: CustomStringConvertible {
    /// Every code that this version defines, sorted by number.
    public static let known: [ErrorCode] = texts.keys.sorted().map(ErrorCode.init)

    /// The name of the constant, for logs; nil when this version does not define the number.
    public var name: String? { Self.texts[rawValue]?.name }

    /// One sentence that tells the passenger what happened and what to do. An unknown code has a general
    /// message that contains the number.
    public var message: String {
        Self.texts[rawValue]?.message
            ?? "An unknown error occurred; please try again later, or update the app "
            + "(code \(rawValue))."
    }

    /// The number, the name and the message, for logs.
    public var description: String { "\(rawValue) \(name ?? "unknown to this app"): \(message)" }

    private static let texts: [Int: (name: String, message: String)] = [
        success.rawValue: ("success", "The request succeeded."),

        notLoggedIn.rawValue: ("notLoggedIn", "Please log in first."),
        wrongCredentials.rawValue: (
            "wrongCredentials", "The name or the password is wrong; please check both and try again."
        ),
        sessionExpired.rawValue: (
            "sessionExpired", "Your session has expired; please log in again."
        ),

        invalidConfiguration.rawValue: (
            "invalidConfiguration", "This app is not set up correctly; please update it."
        ),
        notInitialised.rawValue: (
            "notInitialised", "The app is not ready yet; please try again in a moment."
        ),

        termsNotAgreed.rawValue: (
            "termsNotAgreed", "Please read the terms and agree to them to open the ride service."
        ),
        serviceNotOpen.rawValue: ("serviceNotOpen", "Please open the ride service first."),

        codeUnknown.rawValue: (
            "codeUnknown", "The gate does not know this code; please show the one in the app."
        ),
        codeExpired.rawValue: (
            "codeExpired", "This code has expired; please refresh it and show the new one."
        ),
        codeUsed.rawValue: (
            "codeUsed", "This code has already opened a gate; please refresh it and show the new one."
        ),
        codeReplaced.rawValue: (
            "codeReplaced", "A newer code has replaced this one; please show the newest one."
        ),
        notEntered.rawValue: (
            "notEntered", "There is no record of where this ride began; please ask the staff at the gate."
        ),
        alreadyEntered.rawValue: (
            "alreadyEntered", "Your last ride has not ended; please ask the staff at the gate."
        ),
        gateUnreachable.rawValue: (
            "gateUnreachable",
            "The gate does not answer; please try again in a moment, or ask the staff at the gate."
        ),

        payTypeUnknown.rawValue: (
            "payTypeUnknown", "This payment method does not exist; please choose another."
        ),
        payTypeRefused.rawValue: (
            "payTypeRefused", "This payment method is not available to you; please choose another."
        ),
        paymentRefused.rawValue: (
            "paymentRefused", "The payment was refused; please ask your bank, or pay in another way."
        ),
        notEnoughBalance.rawValue: (
            "notEnoughBalance", "Your balance is too low for this ride; please top it up."
        ),

        unknown.rawValue: ("unknown", "The server could not answer; please try again later."),
    ]
}
