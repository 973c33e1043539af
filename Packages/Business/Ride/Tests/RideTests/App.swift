import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import GateApi
import JourneyApi
import PayTypeApi
import Ride
import RideApi
import ServiceOpenApi
import Storage
import TestSupport
import UserApi
import UserApiFakes

/// An app with the real Ride and fakes of the modules that Ride calls.
struct App {
    let center = ApiCenter()
    let module = RideModule()
    let storage: Storage
    let notifications = NotificationCenter()
    /// A server that reports that a gate opens and closes.
    let client = StubAPIClient { request in
        guard request.url?.path(percentEncoded: false) == "/gates/Old Town/events" else {
            return .text("", statusCode: 404)
        }
        return .text(
            "data: opened\n\ndata: unknown\n\ndata: closed\n\n",
            headers: ["Content-Type": "text/event-stream"])
    }
    let network: APIService
    let time = Shared(Date(timeIntervalSince1970: 0))
    let gate: FakeGate
    let user = FakeUser("ann")
    let isOpen = Shared(true)
    let hasPicked = Shared(true)
    /// The error that a payment throws; nil when the payment succeeds.
    let payment = Shared<PayTypeApiError?>(nil)
    let kept = Shared<[Journey]>([])
    /// The trips that Ride has tried to pay for.
    let trips = Shared<[PayTrip]>([])
    /// Runs during a payment.
    let whilePaying = Shared<(@Sendable () -> Void)?>(nil)
    /// Runs when Ride asks for the selected payment method.
    let whileAsked = Shared<(@Sendable () -> Void)?>(nil)

    init(storage: Storage = .inMemory(), gate: FakeGate? = nil) async throws {
        let gate = gate ?? FakeGate(time: time)
        (self.storage, self.gate) = (storage, gate)
        network = APIService(client: client, config: .forTests())
        center.register(APIService.self) { [network] in network }
        center.register(Storage.self) { storage }
        center.register(NotificationCenter.self) { [notifications] in notifications }
        center.register(GateApiProtocol.self) { gate }
        let fakes = Fakes(
            serviceIsOpen: isOpen, hasPicked: hasPicked, payment: payment, kept: kept, trips: trips,
            whilePaying: whilePaying, whileAsked: whileAsked)
        center.register(UserApiProtocol.self) { [user] in user }
        center.register(ServiceOpenApiProtocol.self) { fakes }
        center.register(PayTypeApiProtocol.self) { fakes }
        center.register(JourneyApiProtocol.self) { fakes }
        module.register(in: center)
        try await module.prepare(in: center)
    }

    var ride: any RideApiProtocol {
        get throws { try center.requireApi(type: RideApiProtocol.self) }
    }

    func refreshCode() {
        notifications.post(name: Notification.Name(RideNotification.refreshCode), object: nil)
    }

    /// Ends the session, as User does.
    func logOut() {
        user.logOut()
        notifications.post(name: Notification.Name(UserNotification.sessionEnded), object: nil)
    }
}

private struct Fakes: ServiceOpenApiProtocol, PayTypeApiProtocol, JourneyApiProtocol {
    let serviceIsOpen: Shared<Bool>
    let hasPicked: Shared<Bool>
    let payment: Shared<PayTypeApiError?>
    let kept: Shared<[Journey]>
    let trips: Shared<[PayTrip]>
    let whilePaying, whileAsked: Shared<(@Sendable () -> Void)?>

    var isOpen: Bool { serviceIsOpen.value }
    func termsPage() -> [String: String]? { nil }
    func agreeToTerms() {}
    func open() {}

    var payTypes: [PayType] { [PayType(id: "x", name: "X")] }
    var selected: PayType? {
        whileAsked.value?()
        return hasPicked.value ? payTypes[0] : nil
    }
    func wallet() -> PayWallet { PayWallet(selected: selected, balance: nil) }
    func select(_ id: String) {}
    func pay(_ trip: PayTrip) throws(PayTypeApiError) -> Payment {
        trips.value.append(trip)
        whilePaying.value?()
        if let error = payment.value { throw error }
        return Payment(cents: 300, receipt: "\(trip.from) - \(trip.to)")
    }

    func journeys(limit: Int) -> [Journey] { kept.value }
    func statement() -> [String] { [] }
    func record(_ journey: Journey) { kept.value.append(journey) }
}
