import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import GateApi
import JourneyApi
import PayTypeApi
import Ride
import RideApi
import SDKManagerApi
import ServiceOpenApi
import Storage
import TestSupport
import UserApi

/// An app with the real Ride and fakes of the modules that Ride calls.
struct App {
    let center = ApiCenter()
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
    let time = Shared(Date(timeIntervalSince1970: 0))
    let gate: FakeGate
    let user = Shared<String?>("ann")
    /// The number of sessions that have ended.
    let ended = Shared(0)
    let isOpen = Shared(true)
    let hasPicked = Shared(true)
    /// The error that a payment throws; nil when the payment succeeds.
    let payment = Shared<PayTypeApiError?>(nil)
    let kept = Shared<[Journey]>([])
    /// Runs during a payment.
    let whilePaying = Shared<(@Sendable () -> Void)?>(nil)
    /// Runs when Ride asks for the selected payment method.
    let whileAsked = Shared<(@Sendable () -> Void)?>(nil)

    init(storage: Storage = .inMemory(), gate: FakeGate? = nil) throws {
        let gate = gate ?? FakeGate(time: time)
        (self.storage, self.gate) = (storage, gate)
        center.register(APIService.self) { [client] in APIService(client: client, config: .forTests()) }
        center.register(Storage.self) { storage }
        center.register(NotificationCenter.self) { [notifications] in notifications }
        center.register(GateApiProtocol.self) { gate }
        let fakes = Fakes(
            user: user, ended: ended, serviceIsOpen: isOpen, hasPicked: hasPicked, payment: payment,
            kept: kept,
            whilePaying: whilePaying, whileAsked: whileAsked)
        center.register(UserApiProtocol.self) { fakes }
        center.register(ServiceOpenApiProtocol.self) { fakes }
        center.register(PayTypeApiProtocol.self) { fakes }
        center.register(JourneyApiProtocol.self) { fakes }
        try RideModule().register(in: center)
    }

    var ride: any RideApiProtocol {
        get throws { try center.requireApi(type: RideApiProtocol.self) }
    }

    func refreshCode() {
        notifications.post(name: Notification.Name(RideNotification.refreshCode), object: nil)
    }

    /// Ends the session, as User does.
    func logOut() {
        user.value = nil
        ended.value += 1
        notifications.post(name: Notification.Name(UserNotification.sessionEnded), object: nil)
    }
}

/// An SDK that has been initialised with a server.
struct SDKManager: SDKManagerApiProtocol {
    var configuration: SDKConfiguration?
    func initialise(_: SDKConfiguration, jump: @Sendable (SDKStart) -> Void) {}
    func moreMenu() -> [SDKMenuItem] { [] }
    func page(of _: SDKMenuItem) -> [String: String]? { nil }
}

private struct Fakes: UserApiProtocol, ServiceOpenApiProtocol, PayTypeApiProtocol, JourneyApiProtocol {
    let user: Shared<String?>
    let ended: Shared<Int>
    let serviceIsOpen: Shared<Bool>
    let hasPicked: Shared<Bool>
    let payment: Shared<PayTypeApiError?>
    let kept: Shared<[Journey]>
    let whilePaying, whileAsked: Shared<(@Sendable () -> Void)?>

    var session: UserSession? {
        user.value.map { UserSession(id: $0, name: $0, token: "\(ended.value)") }
    }
    func logIn(phone: String, password: String) throws(UserApiError) -> UserSession {
        throw .wrongCredentials
    }
    func renewToken() {}
    func logOut() {}

    var isOpen: Bool { serviceIsOpen.value }
    func termsPage() -> [String: String]? { nil }
    func agreeToTerms() {}
    func open() {}

    var payTypes: [PayType] { [PayType(id: "x", name: "X")] }
    var selected: PayType? {
        whileAsked.value?()
        return hasPicked.value ? payTypes[0] : nil
    }
    func select(_ id: String) {}
    func pay(cents: Int, for purpose: String) throws(PayTypeApiError) -> String {
        whilePaying.value?()
        if let error = payment.value { throw error }
        return "\(purpose): \(cents)"
    }

    func journeys(limit: Int) -> [Journey] { kept.value }
    func statement() -> [String] { [] }
    func record(_ journey: Journey) { kept.value.append(journey) }
}
