import ApiCenter
import Foundation
import Links
import PayTypeApi
import PayTypeCashless
import RideApi
import Storage
import Synchronization
import Testing

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

    init() throws {
        center.register(Storage.self) { [storage] in storage }
        center.register(NotificationCenter.self) { [center = refreshes.center] in center }
        try PayTypeCashlessModule().register(in: center)
        payType = try center.requireApi(type: PayTypeApiProtocol.self)
    }

    @Test("PayTypeCashless refuses payments before a payment method is selected")
    func noneSelected() {
        #expect(payType.selected == nil)
        #expect(throws: PayTypeApiError.noneSelected) { try payType.pay(cents: 1, for: "x") }
        #expect(throws: PayTypeApiError.unknown(id: "balance")) { try payType.select("balance") }
    }

    @Test("PayTypeCashless pays with the selected device and posts Ride's refresh notification")
    func pays() throws {
        for other in payType.payTypes {
            try payType.select(other.id)
            #expect(payType.selected == other)
        }
        #expect(refreshes.count.load(ordering: .relaxed) == payType.payTypes.count)
        #expect(try payType.pay(cents: 250, for: "A - B") == "A - B: €2.50 by watch")
    }

    @Test("PayTypeCashless keeps the selection across a restart")
    func restart() throws {
        try payType.select("phone")
        let next = ApiCenter()
        next.register(Storage.self) { [storage] in storage }
        next.register(NotificationCenter.self) { NotificationCenter() }
        try PayTypeCashlessModule().register(in: next)
        #expect(next.api(type: PayTypeApiProtocol.self)?.selected?.id == "phone")
    }

    @Test("PayTypeCashless handles PayType's routes")
    func routes() throws {
        let links = PayTypeCashlessModule().links(in: center)
        let main = try #require(links.first(.route(PayTypeRoute.main)))
        let select = try #require(links.first(.route(PayTypeRoute.select)))
        #expect(links.count == 2)
        #expect(try main.call() as? [String: String] == ["page": "PayTypeCashlessVC"])
        #expect(try select.call(["id": "watch"]) as? String == "Watch")
        #expect(throws: ParameterError.self) { try select.call() }
    }
}
