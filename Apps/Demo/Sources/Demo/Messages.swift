import ErrorCode
import JourneyApi
import RideApi

/// Returns the message for the passenger of an error that no page has converted: an error of a route, an action or an
/// event.
public func message(for error: any Error) -> String {
    switch error {
    case JourneyApiError.notLoggedIn: ErrorCode.notLoggedIn.message
    case JourneyApiError.unreachable(let why), RideApiError.unreachable(let why): why
    default: String(describing: error)
    }
}
