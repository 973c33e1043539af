import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import Links
import Pages
import PayTypeApi
import PayTypeCashless
import RideApi
import Storage
import Synchronization
import Testing
import UserApi
import UserApiFakes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Counts the posts of Ride's refresh notification.
private final class Refreshes: Sendable {
    let center = NotificationCenter()
    let count = Atomic(0)

    init() {
        _ = center.addObserver(
            forName: Notification.Name(RideNotification.refreshCode), object: nil, queue: nil
        ) { [weak self] _ in self?.count.add(1, ordering: .relaxed) }
    }
}

@Suite("PayTypeCashless as the implementation of PayType's Api")
struct PayTypeCashlessTests {
    let storage = Storage.inMemory()
    let center = ApiCenter()
    private let refreshes = Refreshes()
    let payType: any PayTypeApiProtocol
    private let user = FakeUser("ann")
    /// The server's answer to each request; nil for a payment of €2.50 by the device that the request names.
    private let failure: Recorded<StubAPIClient.Answer?>
    private let client: StubAPIClient
    private let trip = PayTrip(passenger: "ann", key: "k", exit: "e", from: "A", to: "B")

    init() throws {
        let failure = Recorded(StubAPIClient.Answer?.none)
        client = StubAPIClient { request in
            if let failure = failure.value { return failure }
            let sent = request.httpBody.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) }
            let data = #"{"cents": 250, "paidWith": "\#(sent?["device"] ?? "")", "balance": 0}"#
            return .json(#"{"code": 0, "desc": "", "data": \#(data)}"#)
        }
        self.failure = failure
        let network = APIService(client: client, config: .forTests())
        let url = URL(string: "https://transit.example")
        let token = APITokenAccessory(user: { [user] in user.session?.id }, token: { nil })
        network.config.update { ($0.baseURL, $0.accessories) = (url, [token]) }
        center.register(APIService.self) { network }
        center.register(UserApiProtocol.self) { [user] in user }
        center.register(Storage.self) { [storage] in storage }
        center.register(NotificationCenter.self) { [center = refreshes.center] in center }
        PayTypeCashlessModule().register(in: center)
        payType = try center.requireApi(type: PayTypeApiProtocol.self)
    }

    @Test("PayTypeCashless refuses payments before a payment method is selected")
    func noneSelected() async {
        #expect(payType.selected == nil)
        await #expect(throws: PayTypeApiError.noneSelected) { try await payType.pay(trip) }
        await #expect(throws: PayTypeApiError.unknown(id: "balance")) { try await payType.select("balance") }
    }

    @Test("PayTypeCashless pays with the selected device and posts Ride's refresh notification")
    func pays() async throws {
        for other in payType.payTypes {
            try await payType.select(other.id)
            #expect(payType.selected == other)
        }
        #expect(refreshes.count.load(ordering: .relaxed) == payType.payTypes.count)
        #expect(try await payType.pay(trip) == Payment(cents: 250, receipt: "A - B: €2.50 by watch"))
        #expect(try await payType.wallet() == PayWallet(selected: payType.selected, balance: nil))
    }

    @Test("Nobody but the named passenger pays")
    func namedPassenger() async throws {
        try await payType.select("phone")
        let trip = PayTrip(passenger: "bob", key: "k", exit: "e", from: "A", to: "B")
        await #expect(throws: PayTypeApiError.notLoggedIn) { try await payType.pay(trip) }
        #expect(client.requests.isEmpty)
    }

    @Test("Without a login there is no selection, and nobody but the named passenger selects")
    func requiresLogin() async throws {
        try await payType.select("phone", for: "ann")
        await #expect(throws: PayTypeApiError.notLoggedIn) { try await payType.select("watch", for: "bob") }
        #expect(payType.selected?.id == "phone")
        user.logOut()
        #expect(payType.selected == nil)
        await #expect(throws: PayTypeApiError.notLoggedIn) { try await payType.wallet() }
        await #expect(throws: PayTypeApiError.notLoggedIn) { try await payType.select("watch") }
        await #expect(throws: PayTypeApiError.notLoggedIn) { try await payType.pay(trip) }
        // The selection belongs to the device.
        user.logIn("bob")
        #expect(payType.selected?.id == "phone")
    }

    @Test(
        "An answer that does not say whether the operator has taken the fare is no refusal",
        arguments: [
            StubAPIClient.Answer.text("", statusCode: 503), .text("<html>"),
            .json(#"{"code": 9999, "desc": "unknown server failure", "data": null}"#),
            .json(#"{"code": 4711, "desc": "a code of a later server", "data": null}"#),
        ])
    func outcomeUnknown(answer: StubAPIClient.Answer) async throws {
        try await payType.select("phone")
        failure.update { $0 = answer }
        let error = await #expect(throws: PayTypeApiError.self) { try await payType.pay(trip) }
        guard case .outcomeUnknown = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        failure.update { $0 = .json(#"{"code": 5003, "desc": "no", "data": null}"#) }
        let refusal = await #expect(throws: PayTypeApiError.self) { try await payType.pay(trip) }
        guard case .refused("Phone", _) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }

    private func page() async throws -> any Page {
        let main = try #require(PayTypeCashlessModule().links(in: center).first(.route(PayTypeRoute.main)))
        return try #require(try await main.call() as? any Page)
    }

    @Test("PayTypeCashless's page shows the devices, and selects one")
    func selectsOnPage() async throws {
        let page = try await page()
        let step = try await page.perform(PageTap("select", row: "watch"))
        #expect(step.message == "You pay with: Watch")
        #expect(
            try await page.contents()[1]
                == .rows([
                    PageRow("Phone", .action("select", row: "phone")),
                    PageRow("Watch", isSelected: true, .action("select", row: "watch")),
                ]))
        await #expect(throws: PageError.self) { try await page.perform(PageTap("other", row: "watch")) }
        #expect(
            await page.failure(for: PayTypeApiError.notSaved("the disk is full")).reason == "the disk is full"
        )
    }

    @Test("PayTypeCashless's page asks for a login")
    func pageWithoutLogin() async throws {
        let page = try await page()
        user.logOut()
        let error = try await #require(throws: (any Error).self) { _ = try await page.contents() }
        #expect(await page.failure(for: error).wayOut?.target == .address(PageAddress(UserRoute.main)))
    }

    @Test("PayTypeCashless keeps the selection across a restart")
    func restart() async throws {
        try await payType.select("phone")
        // A change of the stored format needs another version and a migration.
        #expect(try storage.document("phone-payment", version: 1, default: String?.none).value == "phone")
        let next = ApiCenter()
        next.register(APIService.self) { [client] in APIService(client: client, config: .forTests()) }
        next.register(Storage.self) { [storage] in storage }
        next.register(NotificationCenter.self) { NotificationCenter() }
        next.register(UserApiProtocol.self) { [user] in user }
        PayTypeCashlessModule().register(in: next)
        #expect(next.api(type: PayTypeApiProtocol.self)?.selected?.id == "phone")
    }

    @Test("If the selection cannot be read, the app has no PayType, rather than one without a selection")
    func unreadable() throws {
        let storage = Storage.inMemory(), next = ApiCenter()
        _ = try storage.document("phone-payment", version: 1, default: 0)
        next.register(APIService.self) { [client] in APIService(client: client, config: .forTests()) }
        next.register(Storage.self) { storage }
        next.register(NotificationCenter.self) { NotificationCenter() }
        PayTypeCashlessModule().register(in: next)
        let error = #expect(throws: ApiError.self) { try next.requireApi(type: PayTypeApiProtocol.self) }
        #expect((error?.cause as? StorageError)?.code == .conflict)
    }

    @Test("PayTypeCashless handles PayType's routes")
    func routes() async throws {
        let links = PayTypeCashlessModule().links(in: center)
        let main = try #require(links.first(.route(PayTypeRoute.main)))
        let select = try #require(links.first(.route(PayTypeRoute.select)))
        #expect(links.count == 2)
        let page = try #require(try await main.call() as? any Page)
        #expect(await page.title == "Cashless payment")
        #expect(try await select.call(["id": "watch"]) as? String == "Watch")
        await #expect(throws: ParameterError.self) { try await select.call() }
    }
}
