import ApiCenter
import Foundation
import Links
import PayType
import PayTypeApi
import RideApi
import Storage
import Synchronization
import Testing
import UserApi

private struct User: UserApiProtocol {
    var session: UserSession?
    init(_ id: String) { session = UserSession(id: id, name: id, token: "t") }
    func logIn(phone: String, password: String) throws(UserApiError) -> UserSession {
        throw .wrongCredentials
    }
    func renewToken() {}
    func logOut() {}
}

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

@Suite("PayType")
struct PayTypeTests {
    let storage = Storage.inMemory()
    let center = ApiCenter()
    private let refreshes = Refreshes()
    let payType: any PayTypeApiProtocol

    init() throws {
        center.register(Storage.self) { [storage] in storage }
        center.register(NotificationCenter.self) { [center = refreshes.center] in center }
        center.register(UserApiProtocol.self) { User("ann") }
        try PayTypeModule().register(in: center)
        payType = try center.requireApi(type: PayTypeApiProtocol.self)
    }

    private var posted: Int { refreshes.count.load(ordering: .relaxed) }

    @Test("PayType has no selection at first and refuses payments without one")
    func noneSelected() {
        #expect(payType.selected == nil)
        #expect(payType.payTypes.map(\.id) == ["bank-card", "balance", "month-pass"])
        #expect(throws: PayTypeApiError.noneSelected) { try payType.pay(cents: 1, for: "x") }
    }

    @Test("PayType keeps the selection across a restart and posts Ride's refresh notification")
    func picks() throws {
        try payType.select("balance")
        #expect(posted == 1)
        let next = ApiCenter()
        next.register(Storage.self) { [storage] in storage }
        next.register(NotificationCenter.self) { NotificationCenter() }
        next.register(UserApiProtocol.self) { User("ann") }
        try PayTypeModule().register(in: next)
        #expect(next.api(type: PayTypeApiProtocol.self)?.selected == PayType(id: "balance", name: "Balance"))
    }

    @Test("PayType refuses an unusable or unknown payment method and keeps the selection")
    func refuses() throws {
        try payType.select("balance")
        #expect(throws: PayTypeApiError.refused(name: "Bank card", reason: "the card expired in 2020")) {
            try payType.select("bank-card")
        }
        #expect(throws: PayTypeApiError.unknown(id: "shells")) { try payType.select("shells") }
        #expect(payType.selected?.id == "balance")
        #expect(posted == 1)
    }

    @Test("PayType pays from the balance, and refuses an amount that is negative or exceeds the balance")
    func balance() throws {
        try payType.select("balance")
        #expect(
            try payType.pay(cents: 995, for: "A - B") == "A - B: €9.95 from the balance, which leaves €0.05")
        #expect(
            throws: PayTypeApiError.refused(
                name: "Balance", reason: "€0.06 is more than the remaining €0.05")
        ) { try payType.pay(cents: 6, for: "A - B") }
        #expect(try payType.pay(cents: 5, for: "A - B").hasSuffix("leaves €0.00"))
        #expect(throws: PayTypeApiError.self) { try payType.pay(cents: -1, for: "A - B") }
        try payType.select("month-pass")
        #expect(try payType.pay(cents: 600, for: "A - B") == "A - B: €6.00, paid with the monthly pass")
    }

    @Test("PayType keeps a separate wallet for each passenger and requires a login")
    func passengers() throws {
        try payType.select("balance")
        center.replaceApi(type: UserApiProtocol.self) { User("bob") }
        #expect(payType.selected == nil)
        center.removeApi(api: UserApiProtocol.self)
        #expect(payType.selected == nil)
        #expect(throws: PayTypeApiError.notLoggedIn) { try payType.select("balance") }
    }

    @Test("PayType's page route may be called from outside the app, but its selection route may not")
    func routes() throws {
        let links = PayTypeModule().links(in: center)
        let main = try #require(links.first(.route(PayTypeRoute.main)))
        let select = try #require(links.first(.route(PayTypeRoute.select)))
        #expect(main.callers == .outside && select.callers == .inside)
        #expect(try main.call() as? [String: String] == ["page": "PayTypeVC"])
        #expect(try select.call(["id": "month-pass"]) as? String == "Monthly pass")
        #expect(throws: ParameterError.self) { try select.call() }
    }
}
