extension ErrorCode: CustomStringConvertible {
    /// Every code with a meaning, in the order of the numbers.
    public static let known: [ErrorCode] = texts.keys.sorted().map(ErrorCode.init)

    /// The name of the constant, for a log; nil when the number has no meaning here.
    public var name: String? { Self.texts[rawValue]?.name }

    /// What happened and what to do, for the passenger: plain English, and a whole sentence.
    public var message: String {
        Self.texts[rawValue]?.message
            ?? "Something went wrong that this app does not know; try again later, or update the app "
            + "(code \(rawValue))."
    }

    /// For a log: the number, the name and the message.
    public var description: String { "\(rawValue) \(name ?? "not known here"): \(message)" }

    private static let texts: [Int: (name: String, message: String)] = [
        success.rawValue: ("success", "All is well."),

        notLoggedIn.rawValue: ("notLoggedIn", "Please log in first."),
        wrongCredentials.rawValue: (
            "wrongCredentials", "The name or the password is wrong; please check both and try again."
        ),
        sessionExpired.rawValue: (
            "sessionExpired", "You were logged out after a while; please log in again."
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
            "codeExpired", "This code is too old; please refresh it and show the new one."
        ),
        codeUsed.rawValue: (
            "codeUsed", "This code has opened a gate already; please refresh it and show the new one."
        ),
        codeReplaced.rawValue: (
            "codeReplaced", "A newer code has taken this one's place; please show the newest one."
        ),
        notEntered.rawValue: (
            "notEntered", "No entry is known for this ride; please ask the staff at the gate."
        ),
        alreadyEntered.rawValue: (
            "alreadyEntered", "Your last ride was not ended; please ask the staff at the gate."
        ),

        payTypeUnknown.rawValue: (
            "payTypeUnknown", "This way to pay does not exist; please choose another."
        ),
        payTypeRefused.rawValue: (
            "payTypeRefused", "This way to pay is not open to you; please choose another."
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
