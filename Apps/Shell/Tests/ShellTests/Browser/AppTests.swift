import Foundation
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("The command 'app'")
struct AppTests {
    @Test(
        "A passenger logs in, opens the service, picks a payment method, takes a ride and sees the journey, by forms alone"
    )
    func ride() async throws {
        let app = try RunningApp()
        defer { app.stop() }
        let surfer = Surfer(at: app.address)
        try await surfer.open("/")
        #expect(surfer.text.contains("Welcome to the metro."))
        try await surfer.follow("Ride")
        #expect(surfer.text.contains("Please log in first."))
        try await surfer.follow("Log in")
        try await surfer.tap("Log in", ["phone": "1", "password": "x"])
        #expect(surfer.text.contains("Mobile number Please enter a mobile number of 11 digits."))
        try await surfer.tap("Log in", ["phone": "+86 138 0013-8000", "password": "correct horse"])
        #expect(surfer.text.contains("Welcome, Li Lei."))
        try await surfer.open("/ride_vc")
        try await surfer.follow("Open the service")
        try await surfer.tap("Terms of the ride service")
        #expect(surfer.text.contains("https://transit.example/terms"))
        try await surfer.open("/service_open_vc")
        try await surfer.tap("Open the service")
        #expect(surfer.text.contains("Please read the terms and agree to them."))
        try await surfer.tap("Open the service", ["terms": "on"])
        #expect(surfer.text.contains("The service is open. How do you want to pay?"))
        try await surfer.tap("Bank card")
        #expect(surfer.text.contains("Bank card: This payment method is not available to you"))
        try await surfer.tap("Balance")
        #expect(surfer.text.contains("You pay with: Balance"))
        try await surfer.follow("Ride")
        try await surfer.tap("Enter the metro", ["station": "North Gate"])
        #expect(surfer.text.contains("The gate at North Gate opens."))
        let leave = try surfer.form(of: "Leave the metro", ["station": "Museum"])
        async let first = surfer.send(leave.action, leave.body)
        async let second = surfer.send(leave.action, leave.body)
        _ = try await (first, second)
        try await surfer.follow("My journeys")
        #expect(surfer.text.contains("North Gate - Museum"))
        #expect(surfer.html.matches(of: /North Gate - Museum<small>/).count == 1)
        let addresses = surfer.html.matches(of: /(href|action)="([^"]*)"/).map(\.output.2)
        #expect(addresses.count > 5 && !addresses.contains { $0.contains("_vc") || $0.contains("done") })
        #expect(surfer.calls.first?.hasPrefix("Open “My journeys”") == true)
        #expect(surfer.calls.contains { $0.hasPrefix("Tap “Leave the metro” on “Ride”") })
        #expect(surfer.calls.contains { $0.hasPrefix("Ride asks Gate ") })
        #expect(surfer.calls.contains { $0.hasPrefix("App opens a page of Journey ") })
    }

    @Test("A module is taken out and put back: the others say what is lost, and the data stays")
    func withoutModule() async throws {
        let app = try RunningApp()
        defer { app.stop() }
        let surfer = Surfer(at: app.address)
        try await surfer.logIn()
        try await surfer.openService()
        try await surfer.open("/ride")
        let stale = try surfer.form(of: "Enter the metro", ["station": "Museum"])
        try await surfer.open("/")
        try await surfer.follow("Try it")
        try await surfer.tap("PayType")
        #expect(
            surfer.text.contains("The app runs without PayType now: you can ride, and nobody charges you."))
        #expect(surfer.text.contains("nobody charges you. Nobody has asked for it since."))
        // The form belongs to the app that has ended.
        let late = try await surfer.send(stale.action, stale.body).html
        #expect(late.contains("This page was out of date, so nothing was done."))
        try await surfer.open("/payment")
        #expect(surfer.text.contains("PayType is not in this app."))
        try await surfer.open("/ride")
        try await surfer.tap("Enter the metro", ["station": "North Gate"])
        try await surfer.tap("Leave the metro", ["station": "Museum"])
        #expect(surfer.text.contains("The ride was not charged: this app has no payment module."))
        #expect(
            surfer.calls.contains { $0.hasPrefix("Ride looks up PayType") && $0.contains("not in this app") })
        #expect(surfer.text.contains("The module PayType is missing: Ride asked for it in vain."))
        try await surfer.open("/try")
        #expect(
            surfer.text.contains(
                /nobody charges you\. Asked for it in vain: Ride \(\d+ times\), App \(1 time\)\./))
        try await surfer.tap("PayType")
        #expect(surfer.text.contains("PayType is in the app again."))
        try await surfer.open("/payment")
        #expect(surfer.text.contains("Your balance is €10.00."))
    }

    @Test("The gate is taken offline, events are sent, and links are opened, from the page")
    func tryIt() async throws {
        let app = try RunningApp()
        defer { app.stop() }
        let surfer = Surfer(at: app.address)
        try await surfer.logIn()
        try await surfer.openService()
        try await surfer.open("/try")
        try await surfer.tap("Take the gate offline")
        try await surfer.open("/ride")
        #expect(surfer.text.contains("The gate does not answer;"))
        #expect(
            surfer.calls.contains {
                $0.hasPrefix("Ride asks Gate for the passenger's code") && $0.contains("error: ")
            })
        try await surfer.open("/try")
        try await surfer.tap("Put the gate online")
        try await surfer.tap("Send the event", ["event": "background"])
        #expect(surfer.text.contains("The modules have handled the event “background”."))
        #expect(
            surfer.calls.contains { $0.hasPrefix("Ride posts a notification RideNotificationRefreshCode") })
        try await surfer.tap("Open the link")
        #expect(surfer.text.contains("North Gate, Museum, Old Town"))
        try await surfer.tap("Open the link", ["link": "app://web_vc?url=x.example"])
        #expect(surfer.text.contains("The link was refused: only calls from inside the app may open it."))
        try await surfer.tap("Open the link", ["link": "app://ride_vc"])
        #expect(surfer.text.hasPrefix("Ride You are not on a ride."))
        try await surfer.tap("Enter the metro", ["station": "North Gate"])
        #expect(surfer.text.contains("The gate at North Gate opens."))
    }

    @Test("After a log-out in another tab, the page that is open leads back to the log-in")
    func logOut() async throws {
        let app = try RunningApp()
        defer { app.stop() }
        let (surfer, other) = (Surfer(at: app.address), Surfer(at: app.address))
        for tab in [surfer, other] { try await tab.open("/user_vc") }
        try await surfer.tap("Log in", ["phone": "13800138000", "password": "correct horse"])
        try await surfer.open("/pay_type_vc")
        try await other.open("/user_vc")
        try await other.tap("Log out")
        #expect(other.text.contains("You are logged out."))
        try await surfer.tap("Balance")
        #expect(surfer.text.contains("Please log in first."))
    }

    @Test("Ctrl-C stops the app well as soon as its address is printed")
    func interruptedAtOnce() throws {
        for _ in 0..<10 { try RunningApp().stop() }
    }

    @Test("A second app on the same port is refused, and says so")
    func port() throws {
        let app = try RunningApp()
        defer { app.stop() }
        let run = try Shell.run("app", "--no-browser", "--port", "\(app.address.port ?? 0)")
        #expect(run.status == 1)
        #expect(run.errors.contains("cannot listen on port \(app.address.port ?? 0) of this machine"))
    }

    @Test(
        "Wrong options of the app are refused with exit code 2",
        arguments: [
            (["app", "--port", "99999"], "the port '99999'"), (["app", "--port", "x"], "the port 'x'"),
            (["trace", "--port", "80"], "--port only works with the command 'app'"),
            (["app", "--json"], "--json does not work with the command 'app'"),
            (["--no-browser"], "--no-browser only works with the command 'app'"),
            (["app", "x"], "app takes no arguments"),
        ])
    func options(_ arguments: [String], _ message: String) throws {
        let run = try Shell.run(arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains(message))
    }
}

/// The command `app` as a process, with an empty data folder.
final class RunningApp {
    let address: URL
    private let process = Process()
    private let data: TemporaryFolder

    /// - Parameter executable: The path of another build of the Shell; nil for the one that was built with the tests.
    init(_ executable: String? = nil) throws {
        data = try TemporaryFolder()
        process.executableURL = URL(filePath: try executable ?? Shell.executable())
        process.arguments = ["app", "--no-browser", "--data", data.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.contains("\n") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the app ended: \(text)")
            text += String(decoding: more, as: UTF8.self)
        }
        let found = try #require(text.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+\//))
        address = try #require(URL(string: String(found.output)))
    }

    /// Stops the app as Ctrl-C does, and expects that it ends well.
    func stop() {
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
    }
}
#endif
