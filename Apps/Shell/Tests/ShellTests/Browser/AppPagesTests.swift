import ApiCenter
import AppModules
import Foundation
import GateLedger
import Launch
import Storage
import Testing

@testable import Demo

/// The app's own pages in a browser, in this process, so that the test can move the server's clock.
@Suite("The app's pages in a browser")
struct AppPagesTests {
    /// Shows the app in a browser while `body` runs.
    private func browsing(
        without absent: String? = nil, storage: Storage = .inMemory(),
        _ body: (Surfer, SampleDay) async throws -> Void
    ) async throws {
        let day = try SampleDay()
        let services = AppServices(storage: storage, client: day.client, key: day.key)
        let modules = Registrations.modules.filter { $0.name != absent }
        let center = ApiCenter()
        center.register(GateSettings.self) { [gate = day.gate] in gate }
        let app = try ModularApp(day.watching(modules), on: services, center: center) {
            try day.connect($0, storage: services.storage)
        }
        let demo = DemoApp(
            day: day, app: app, launch: await app.launch(), names: Registrations.names,
            routes: services.routes, mediator: services.mediator, notifications: services.notifications,
            storage: storage)
        let server = try await demo.browse(port: 0, complain: { _ in })
        defer { server.stop() }
        try await body(Surfer(at: server.address), day)
    }

    private func logIn(_ surfer: Surfer) async throws {
        try await surfer.open("/user_vc")
        try await surfer.tap("Log in", ["phone": "13800138000", "password": "correct horse"])
    }

    private func openService(_ surfer: Surfer) async throws {
        try await logIn(surfer)
        try await surfer.open("/service_open_vc")
        try await surfer.tap("Open the service", ["terms": "on"])
        try await surfer.tap("Balance")
    }

    @Test("A token that expires while a page is open is renewed, and the tap on the page works")
    func expiredToken() async throws {
        try await browsing { surfer, day in
            try await openService(surfer)
            #expect(day.server.renewals == 0)
            day.clock.advance(by: OperatorServer.tokenLifetime + 1)
            try await surfer.tap("Monthly pass")
            #expect(surfer.text.contains("You pay with: Monthly pass"))
            #expect(day.server.renewals == 1)
        }
    }

    @Test("Without Ride, its page says so, and the other pages work")
    func withoutRide() async throws {
        try await browsing(without: "Ride") { surfer, _ in
            try await surfer.open("/")
            #expect(surfer.text.contains("Welcome to the metro."))
            try await surfer.follow("Ride")
            #expect(surfer.text.contains("Ride is not in this app."))
            try await openService(surfer)
            #expect(surfer.text.contains("You pay with: Balance"))
            #expect(surfer.text.contains("Your balance is €10.00."))
        }
    }

    @Test("A second window cannot enter again by leaving, and the fare is taken once")
    func twoWindows() async throws {
        try await browsing { surfer, day in
            try await openService(surfer)
            try await surfer.open("/ride_vc")
            try await surfer.tap("Enter the metro", ["station": "North Gate"])
            let stale = try surfer.form(of: "Leave the metro", ["station": "Museum"])
            try await surfer.open("/ride_vc")
            let other = try surfer.form(of: "Leave the metro", ["station": "Museum"])
            #expect(try await surfer.send(other.action, other.body).html.contains("from the balance"))
            let late = try await surfer.send(stale.action, stale.body).html
            // The page says it once: as the reason, and not as its own text besides.
            #expect(late.matches(of: /<p[^>]*>You are not on a ride\.<\/p>/).count == 1)
            // Back and the same button again: the answer of before.
            #expect(try await surfer.send(other.action, other.body).html.contains("from the balance"))
            try await surfer.open("/pay_type_vc")
            #expect(surfer.text.contains("Your balance is €8.00."))
        }
    }

    @Test("The operator's wallet survives the app, as the selection does")
    func wallet() async throws {
        let storage = Storage.inMemory()
        try await browsing(storage: storage) { surfer, _ in
            try await openService(surfer)
        }
        try await browsing(storage: storage) { surfer, _ in
            try await surfer.open("/ride_vc")
            try await surfer.tap("Enter the metro", ["station": "North Gate"])
            try await surfer.tap("Leave the metro", ["station": "Museum"])
            #expect(surfer.text.contains("from the balance, which leaves €8.00"))
        }
    }

    @Test("An old form on a page that cannot be shown any more says one thing once")
    func outOfDate() async throws {
        try await browsing { surfer, day in
            try await openService(surfer)
            try await surfer.open("/ride")
            let stale = try surfer.form(of: "Enter the metro", ["station": "Museum"])
            try await surfer.open("/account")
            try await surfer.tap("Log out")
            let late = try await surfer.send(stale.action, stale.body).html
            let unknown = try await surfer.send(
                stale.action, stale.body.replacing("40token=", with: "40token=x")
            ).html
            for html in [late, unknown] {
                #expect(html.matches(of: /class="(message|failure)"/).count == 1)
                #expect(html.contains("role=\"alert\" id=\"failure\">Please log in first.</p>"))
            }
            let refusals = day.diary.groups.last { $0.title.hasPrefix("Tap “Enter") }?.events.filter {
                $0 == .refused("Please log in first.")
            }
            #expect(refusals?.count == 1)
        }
    }

    @Test("The statement lists the passenger's own journeys, and can be saved")
    func statement() async throws {
        try await browsing { surfer, _ in
            try await openService(surfer)
            try await surfer.open("/my-journeys")
            try await surfer.tap("Get the statement")
            #expect(surfer.text.contains("The operator has charged you for 0 journeys."))
            try await surfer.open("/ride")
            try await surfer.tap("Enter the metro", ["station": "North Gate"])
            try await surfer.tap("Leave the metro", ["station": "Harbour"])
            try await surfer.open("/my-journeys")
            try await surfer.tap("Get the statement")
            #expect(surfer.text.contains("The operator has charged you for 1 journey."))
            #expect(surfer.text.contains("North Gate - Harbour, €3.00, balance"))
            let link = try #require(
                surfer.html.firstMatch(
                    of: /download="statement\.txt" href="data:text\/plain;charset=utf-8,([^"]*)"/))
            let text = link.output.1.removingPercentEncoding
            #expect(text == "North Gate - Harbour, €3.00, balance\n")
        }
    }

    @Test("The banner opens a page, and an address without a page leads to Home")
    func contents() async throws {
        try await browsing { surfer, _ in
            try await surfer.open("/")
            try await surfer.tap("Ride to the harbour this spring")
            #expect(surfer.text.contains("the trains to Harbour run every four minutes"))
            #expect(!surfer.html.contains("href=\"https://metro.example"))
            #expect(try await surfer.open("/nowhere").status == 404)
            #expect(surfer.text.contains("There is no page at this address."))
            try await surfer.follow("Go to Home")
            #expect(surfer.text.contains("Welcome to the metro."))
        }
    }

    @Test("The operator takes the stations from its gates, not from the app")
    func stations() throws {
        let wallets = OperatorWallets()
        _ = try wallets.select("month-pass")
        let claim = (from: "North Gate", to: "Museum")
        #expect(try wallets.pay(key: "a", exit: "b", claim: claim, device: nil).cents == 200)
        try wallets.report(key: "in", station: "North Gate")
        try wallets.report(key: "out", station: "South Gate")
        #expect(try wallets.pay(key: "in", exit: "out", claim: claim, device: nil).cents == 400)
        // A repeat of the payment is answered again, although the reports are no longer needed.
        #expect(try wallets.pay(key: "in", exit: "out", claim: claim, device: nil).cents == 400)
        try wallets.report(key: "in2", station: "Harbour")
        for (key, exit) in [("in2", "claimed"), ("claimed", "in2"), ("x", "y")] {
            let refusal = #expect(throws: OperatorWallets.Refusal.self) {
                try wallets.pay(key: key, exit: exit, claim: claim, device: nil)
            }
            #expect(refusal?.code == 4005)
        }
    }

    @Test(
        "A ride that began before the gates reported is paid at its exit, but no later one without a report")
    func earlierRide() throws {
        let wallets = OperatorWallets()
        _ = try wallets.select("month-pass")
        try wallets.report(key: "out", station: "South Gate")
        let claim = (from: "Museum", to: "Museum")
        #expect(try wallets.pay(key: "in", exit: "out", claim: claim, device: nil).cents == 350)
        try wallets.report(key: "out2", station: "South Gate")
        for exit in ["out", "out2"] {
            let refusal = #expect(throws: OperatorWallets.Refusal.self) {
                try wallets.pay(key: "in2", exit: exit, claim: claim, device: nil)
            }
            #expect(refusal?.code == 4005)
        }
    }

    @Test("A ride that the balance cannot pay goes on until the passenger picks another payment method")
    func lowBalance() async throws {
        try await browsing { surfer, _ in
            try await openService(surfer)
            for _ in 0..<3 {
                try await surfer.open("/ride_vc")
                try await surfer.tap("Enter the metro", ["station": "North Gate"])
                try await surfer.tap("Leave the metro", ["station": "South Gate"])
            }
            #expect(surfer.text.contains("Your balance is too low for this ride; please top it up."))
            try await surfer.follow("Payment methods")
            try await surfer.tap("Monthly pass")
            try await surfer.follow("Ride")
            #expect(surfer.text.contains("You are on a ride from North Gate."))
            try await surfer.tap("Leave the metro", ["station": "South Gate"])
            #expect(surfer.text.contains("€4.00, paid with the monthly pass"))
        }
    }
}
