import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import GateApi
import GateApiFakes
import JourneyApi
import JourneyApiFakes
import PayTypeApi
import PayTypeApiFakes
import RideApi
import ServiceOpenApi
import ServiceOpenApiFakes
import Storage
import UserApi
import UserApiFakes

@testable import Ride

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
    let gate: FakeGate
    let user = FakeUser("ann")
    let service = FakeServiceOpen()
    let payType = FakePayType("x", selected: "x")
    let journeys = FakeJourney()

    init(storage: Storage = .inMemory(), gate: FakeGate = FakeGate()) async throws {
        (self.storage, self.gate) = (storage, gate)
        network = APIService(client: client, config: .forTests())
        center.register(APIService.self) { [network] in network }
        center.register(Storage.self) { storage }
        center.register(NotificationCenter.self) { [notifications] in notifications }
        center.register(GateApiProtocol.self) { gate }
        center.register(UserApiProtocol.self) { [user] in user }
        center.register(ServiceOpenApiProtocol.self) { [service] in service }
        center.register(PayTypeApiProtocol.self) { [payType] in payType }
        center.register(JourneyApiProtocol.self) { [journeys] in journeys }
        module.register(in: center)
        try await module.prepare(in: center)
    }

    var ride: any RideApiProtocol {
        get throws { try center.requireApi(type: RideApiProtocol.self) }
    }

    /// Tells Ride that the app has started, and waits for the payments that Ride repeats then.
    func launch() async throws {
        try await module.handle(.launch, in: center)
        try await settlePayments()
    }

    func settlePayments() async throws {
        try await center.requireApi(type: RideService.self).settlePayments()
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
