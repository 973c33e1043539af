import ApiCenter
import Foundation
import PayType
import PayTypeApi
import RideApi
import Storage
import Synchronization
import Testing
import URLGrammar
import UserApi

private struct User: UserApiProtocol {
    var session: UserSession?
    init(_ id: String) { session = UserSession(id: id, name: id, token: "t") }
    func logIn(phone: String, password: String) throws(UserApiError) -> UserSession {
        throw .wrongCredentials
    }
    func logOut() {}
}

/// Counts the notifications of Ride that are posted.
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
        center.registerApi(type: Storage.self) { [storage] in storage }
        center.registerApi(type: NotificationCenter.self) { [center = refreshes.center] in center }
        center.registerApi(type: UserApiProtocol.self) { User("ann") }
        try PayTypeModule().register(in: center)
        payType = try center.requireApi(type: PayTypeApiProtocol.self)
    }

    private var posted: Int { refreshes.count.load(ordering: .relaxed) }

    @Test("has nothing picked at first, and takes no money then")
    func noneSelected() {
        #expect(payType.selected == nil)
        #expect(payType.payTypes.map(\.id) == ["bank-card", "balance", "month-pass"])
        #expect(throws: PayTypeApiError.noneSelected) { try payType.pay(cents: 1, for: "x") }
    }

    @Test("keeps the pick over a restart, and asks Ride for another code")
    func picks() throws {
        try payType.select("balance")
        #expect(posted == 1)
        let next = ApiCenter()
        next.registerApi(type: Storage.self) { [storage] in storage }
        next.registerApi(type: NotificationCenter.self) { NotificationCenter() }
        next.registerApi(type: UserApiProtocol.self) { User("ann") }
        try PayTypeModule().register(in: next)
        #expect(next.api(type: PayTypeApiProtocol.self)?.selected == PayType(id: "balance", name: "Balance"))
    }

    @Test("refuses what cannot be used, and leaves the pick as it was")
    func refuses() throws {
        try payType.select("balance")
        #expect(throws: PayTypeApiError.refused(name: "Bank card", reason: "the card expired in 2020")) {
            try payType.select("bank-card")
        }
        #expect(throws: PayTypeApiError.unknown(id: "shells")) { try payType.select("shells") }
        #expect(payType.selected?.id == "balance")
        #expect(posted == 1)
    }

    @Test("pays from the balance as long as it lasts, and takes nothing when it does not")
    func balance() throws {
        try payType.select("balance")
        #expect(
            try payType.pay(cents: 995, for: "A - B") == "A - B: €9.95 from the balance, which leaves €0.05")
        #expect(
            throws: PayTypeApiError.refused(
                name: "Balance", reason: "€0.06 is more than the €0.05 that are left")
        ) { try payType.pay(cents: 6, for: "A - B") }
        #expect(try payType.pay(cents: 5, for: "A - B").hasSuffix("leaves €0.00"))
        #expect(throws: PayTypeApiError.self) { try payType.pay(cents: -1, for: "A - B") }
        try payType.select("month-pass")
        #expect(try payType.pay(cents: 600, for: "A - B") == "A - B: €6.00, paid for with the month pass")
    }

    @Test("has a wallet for each passenger, and none for nobody")
    func passengers() throws {
        try payType.select("balance")
        center.replaceApi(type: UserApiProtocol.self) { User("bob") }
        #expect(payType.selected == nil)
        center.removeApi(api: UserApiProtocol.self)
        #expect(payType.selected == nil)
        #expect(throws: PayTypeApiError.notLoggedIn) { try payType.select("balance") }
    }

    @Test("answers its routes, from outside only the page")
    func routes() throws {
        let module = PayTypeModule(), routes = module.routes(in: center)
        #expect(module.remoteRoutes == [PayTypeRoute.main])
        #expect(try routes[PayTypeRoute.main]?([:]) as? [String: String] == ["page": "PayTypeVC"])
        #expect(try routes[PayTypeRoute.select]?(["id": "month-pass"]) as? String == "Month pass")
        #expect(throws: ParameterError.self) { try routes[PayTypeRoute.select]?([:]) }
    }
}
