import ApiCenter
import ErrorCode
import Foundation
import JourneyApi
import Pages
import PayTypeApi
import RideApi
import ServiceOpenApi
import UserApi

/// The page that shows the ride code, and holds it up to a gate.
struct RidePage: Page {
    let center: ApiCenter
    let title = "Ride"

    private var ride: any RideApiProtocol {
        get throws { try center.requireApi(type: RideApiProtocol.self) }
    }

    func contents() async throws -> [PageContent] {
        let code = try await ride.code().code
        let start = try ride.enteredAt
        return [
            .text(start.map { "You are on a ride from \($0)." } ?? "You are not on a ride."),
            .code(code, caption: "Your code"),
            .field(try gate(start)),
            start == nil
                ? .button("Enter the metro", action: "enter") : .button("Leave the metro", action: "leave"),
            .button("Get a new code", action: "refresh"),
            .rows([PageRow("My journeys", opens: JourneyRoute.main)]),
        ]
    }

    /// The choice of the gate, which begins with a station other than the one where the ride began.
    private func gate(_ start: String?) throws -> PageField {
        let stations = try ride.stations
        return PageField(
            "station", label: "Gate at", .stop(stations), value: stations.first { $0 != start } ?? "")
    }

    func perform(_ tap: PageTap) async throws -> PageStep {
        switch tap.action {
        case "enter", "leave":
            // The page may have been open while the ride began or ended in another window.
            let start = try ride.enteredAt
            guard (tap.action == "enter") == (start == nil) else {
                throw PageError(
                    start.map { "You are already on a ride from \($0)." } ?? "You are not on a ride.")
            }
            let station = try tap.choice("station", of: ride.stations)
            // The current code. If the last answer was lost, this is another attempt, which may open a second gate.
            let passage = try await ride.passGate(code: ride.code().code, at: station)
            return .stay(saying: passage.sentence)
        case "refresh":
            // As any page may do: all current codes are replaced.
            center.api(type: NotificationCenter.self)?
                .post(name: Notification.Name(RideNotification.refreshCode), object: nil)
            return .stay(saying: "Here is a new code.")
        default: throw tap.unknownAction
        }
    }

    func failure(for error: any Error) -> PageError {
        switch error as? RideApiError {
        case .notLoggedIn:
            PageError(ErrorCode.notLoggedIn.message, wayOut: PageRow("Log in", opens: UserRoute.main))
        case .serviceNotOpen:
            PageError(
                ErrorCode.serviceNotOpen.message,
                wayOut: PageRow("Open the service", opens: ServiceOpenRoute.main))
        case .noPayType:
            PageError(
                "Please choose a payment method first.",
                wayOut: PageRow("Payment methods", opens: PayTypeRoute.main))
        case .unknownStation(let name): PageError("There is no gate at '\(name)'.", field: "station")
        case .codeRefused(.unknown): PageError(ErrorCode.codeUnknown.message)
        case .codeRefused(.expired): PageError(ErrorCode.codeExpired.message)
        case .codeRefused(.used): PageError(ErrorCode.codeUsed.message)
        case .codeRefused(.replaced): PageError(ErrorCode.codeReplaced.message)
        case .paymentRefused(let why):
            PageError(why, wayOut: PageRow("Payment methods", opens: PayTypeRoute.main))
        case .paymentUnknown(let why):
            PageError("The gate opens. The payment is not confirmed, and will be repeated: \(why)")
        case .unreachable(let why): PageError(why)
        case .notSaved(let why): PageError("This device could not save your ride.", reason: why)
        case nil: .from(error)
        }
    }
}

extension Passage {
    /// What the passenger reads after passing a gate.
    fileprivate var sentence: String {
        switch self {
        case .entered(let station): "The gate at \(station) opens."
        case .left(let fare):
            "The gate at \(fare.to) opens. "
                + (fare.receipt.map { $0 + "." }
                    ?? "The ride was not charged: this app has no payment module.")
                + (fare.isRecorded ? "" : " The journey was not saved.")
        }
    }
}
