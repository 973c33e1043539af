import ErrorCode
import GateApi
import HomeApi
import JourneyApi
import PayTypeApi
import RideApi
import SDKManagerApi
import ServiceOpenApi
import UserApi

/// A module's error with a message for the passenger, which is the operator's standard text where one exists.
protocol Refusal: Error {
    var message: String { get }
}

/// Returns an error's message for the passenger.
public func message(for error: any Error) -> String {
    (error as? any Refusal)?.message ?? String(describing: error)
}

extension SDKManagerApiError: Refusal {
    var message: String {
        switch self {
        case .invalid(let field, let value, let reason): "\(field) cannot be '\(value)': \(reason)"
        }
    }
}

extension UserApiError: Refusal {
    var message: String {
        switch self {
        case .badPhone(let number): "'\(number)' is not an 11-digit mobile number"
        case .wrongCredentials: ErrorCode.wrongCredentials.message
        case .unreachable(let why), .notSaved(let why): why
        }
    }
}

extension ServiceOpenApiError: Refusal {
    var message: String {
        switch self {
        case .notLoggedIn: ErrorCode.notLoggedIn.message
        case .termsNotAgreed: ErrorCode.termsNotAgreed.message
        case .notSaved(let why): why
        }
    }
}

extension GateApiError: Refusal {
    var message: String {
        switch self {
        case .codeUnknown, .codeOfAnother: ErrorCode.codeUnknown.message
        case .codeExpired: ErrorCode.codeExpired.message
        case .codeUsed: ErrorCode.codeUsed.message
        case .codeReplaced: ErrorCode.codeReplaced.message
        case .notSaved, .unreachable: ErrorCode.gateUnreachable.message
        }
    }
}

extension PayTypeApiError: Refusal {
    var message: String {
        switch self {
        case .unknown: ErrorCode.payTypeUnknown.message
        case .refused(let name, let reason): "\(name): \(reason)"
        case .notLoggedIn: ErrorCode.notLoggedIn.message
        case .noneSelected: "Please choose a payment method first."
        case .notSaved(let why), .unreachable(let why): why
        }
    }
}

extension RideApiError: Refusal {
    var message: String {
        switch self {
        case .notLoggedIn: ErrorCode.notLoggedIn.message
        case .serviceNotOpen: ErrorCode.serviceNotOpen.message
        case .noPayType: PayTypeApiError.noneSelected.message
        case .unknownStation(let name): "There is no gate at '\(name)'."
        case .codeRefused(.unknown): ErrorCode.codeUnknown.message
        case .codeRefused(.expired): ErrorCode.codeExpired.message
        case .codeRefused(.used): ErrorCode.codeUsed.message
        case .codeRefused(.replaced): ErrorCode.codeReplaced.message
        case .paymentRefused(let why), .notSaved(let why), .unreachable(let why): why
        }
    }
}

extension JourneyApiError: Refusal {
    var message: String {
        switch self {
        case .notLoggedIn: ErrorCode.notLoggedIn.message
        case .notSaved(let why), .unreachable(let why): why
        }
    }
}

extension HomeApiError: Refusal {
    var message: String {
        switch self {
        case .noBanner(let why): why
        }
    }
}
