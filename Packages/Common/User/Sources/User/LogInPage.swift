import ApiCenter
import ErrorCode
import Pages
import UserApi

/// The page on which a passenger logs in and out.
struct LogInPage: Page {
    let center: ApiCenter
    let title = "Account"

    private var user: any UserApiProtocol {
        get throws { try center.requireApi(type: UserApiProtocol.self) }
    }

    func contents() throws -> [PageContent] {
        if let session = try user.session {
            return [.text("You are logged in as \(session.name)."), .button("Log out", action: "logOut")]
        }
        return [
            .field(PageField("phone", label: "Mobile number", .phone)),
            .field(PageField("password", label: "Password", .password)),
            .button("Log in", action: "logIn"),
        ]
    }

    func perform(_ tap: PageTap) async throws -> PageStep {
        switch tap.action {
        case "logIn":
            let session = try await user.logIn(
                phone: tap.text("phone").withoutSeparators, password: tap.password("password"))
            return .back(saying: "Welcome, \(session.name).")
        case "logOut":
            try await user.logOut()
            return .stay(saying: "You are logged out.")
        default: throw tap.unknownAction
        }
    }

    func failure(for error: any Error) -> PageError {
        switch error as? UserApiError {
        case .badPhone: PageError("Please enter a mobile number of 11 digits.", field: "phone")
        case .wrongCredentials: PageError(ErrorCode.wrongCredentials.message, field: "password")
        case .unreachable(let why): PageError(why)
        case .notSaved(let why): PageError("This device could not save your session.", reason: why)
        case nil: .from(error)
        }
    }
}

extension String {
    /// A mobile number without the characters that people write between its digits, such as `138 0013 8000`, and without the
    /// country code +86.
    fileprivate var withoutSeparators: String {
        let number = filter { !$0.isWhitespace && !"-().".contains($0) }
        return number.hasPrefix("+86") ? String(number.dropFirst(3)) : number
    }
}
