import AppModules
import Demo
import Foundation
import Storage
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("The sample day")
struct DayTests {
    /// The messages about the statement, whose download starts with an expired token and loses its connection once.
    private let statement = [
        "The token had expired and was renewed", "Last year: 200 journeys, downloaded in 2 parts",
    ]

    @Test("A new passenger's day has the expected refusals and ends with a paid ride")
    func first() throws {
        let data = try TemporaryFolder()
        let day = try Shell.day(data: data)
        #expect(day["Start the app"] == ["Nobody is logged in", "Shows \"Open the ride service\""])
        #expect(
            day["Log in"] == [
                "- The name or the password is wrong; please check both and try again.",
                "Logged in as Li Lei",
            ])
        #expect(day["Open the service"].first?.hasPrefix("- Please read the terms") == true)
        #expect(day["Open the service"].last == "Agreed to the terms and opened the service")
        #expect(
            day["Pick a payment method"] == [
                "- Bank card: This payment method is not available to you; please choose another.",
                "Pays with: Balance",
            ])
        let entered = day["Enter the metro"]
        #expect(entered.first == "The gate at North Gate opens")
        #expect(entered[1].hasPrefix("- The same code: This code has already opened a gate"))
        #expect(
            entered.dropFirst(2) == [
                "The gate reports that it is open", "The gate reports that it is closed again",
            ])
        let refreshed = day["Refresh the code"]
        #expect(refreshed.count == 3)
        #expect(refreshed[0].hasPrefix("- The old code: A newer code"))
        #expect(refreshed[1].hasPrefix("- The expired code: This code has expired"))
        #expect(refreshed[2] == "A new code is ready")
        #expect(
            day["Switch to another app and back"] == [
                "The app was in the background",
                "- The old code: A newer code has replaced this one; please show the newest one.",
            ])
        #expect(
            day["Log out and in again"] == [
                "Logged out", "Logged in as Li Lei",
                "- The code from before the logout: This code has expired; please refresh it and show the new one.",
            ])
        #expect(
            day["Leave the metro"] == [
                "The gate at Museum opens", "North Gate - Museum: €2.00 from the balance, which leaves €8.00",
            ])
        #expect(
            day["Look at the journeys"] == ["1 journey so far", "North Gate - Museum, €2.00"] + statement)
        #expect(
            day["Open a link"] == [
                "metro://ride/stations: North Gate, Museum, Old Town, Harbour, University, South Gate"
            ])
        #expect(
            day["Tap the banner"] == [
                "\"Ride to the harbour this spring\", from the operator's server",
                "The banner: shows \"https://metro.example/spring\"",
            ])
        #expect(
            day["Tap \"more\""] == [
                "My journeys: shows \"My journeys\"", "Payment methods: shows \"Payment methods\"",
            ])
        #expect(
            day["The same page in three ways"]
                == ["by its Api", "by its route", "by its action"].map {
                    "\($0): shows \"https://metro.example/terms\""
                })
        #expect(
            day["Read the log"].last?.hasSuffix("A ride from North Gate to Museum cost €2.00") == true)
        #expect(day.server.contains(/^http:\/\/127\.0\.0\.1:\d+, in this process$/))
        #expect(day.data == data.path)
    }

    @Test("Later days continue from stored data and switch the payment method when the balance is too low")
    func later() throws {
        let data = try TemporaryFolder()
        _ = try Shell.day(data: data)
        let second = try Shell.day(data: data)
        #expect(second["Start the app"] == ["Welcome back, Li Lei", "Shows \"Ride\""])
        #expect(second["Log in"] == ["Still logged in as Li Lei"])
        #expect(second["Open the service"] == ["The service is already open"])
        #expect(second["Pick a payment method"] == ["Balance, as before"])
        #expect(
            second["Look at the journeys"] == [
                "2 journeys so far, the latest first", "North Gate - Old Town, €2.50",
                "North Gate - Museum, €2.00",
            ] + statement)
        _ = try Shell.day(data: data)
        let fourth = try Shell.day(data: data)
        #expect(
            fourth["Leave the metro"] == [
                "- Balance: Your balance is too low for this ride; please top it up.",
                "- Bank card: This payment method is not available to you; please choose another.",
                "Pays with: Monthly pass", "The gate at University opens",
                "North Gate - University: €3.50, paid with the monthly pass",
            ])
        #expect(fourth["Look at the journeys"].first == "4 journeys so far, the latest first")
        let fifth = try Shell.day(data: data)
        #expect(fifth["Pick a payment method"] == ["Monthly pass, as before"])
        let listed = try Shell.run("open", "app://journeys/2", data: data)
        #expect(listed.output.split(separator: "\n").count == 2)
        #expect(listed.output.contains("North Gate - South Gate, €4.00\n"))
    }

    @Test("In an app without Gate, the day says so, passes no gate, and continues")
    func withoutGate() async throws {
        let day = try SampleDay()
        let services = AppServices(storage: .inMemory(), client: day.client, key: day.key).untimed
        let modules = Registrations.modules.filter { $0.name != "Gate" }
        let app = try await ModularApp.launch(day.watching(modules), on: services)
        let demo = DemoApp(
            day: day, center: app.center, host: app.host, launch: app.launchReport,
            send: { await app.send($0) },
            open: {
                let link = await app.open($0)
                return (link.value, link.error)
            },
            names: Registrations.names, routes: services.routes,
            mediator: services.mediator, notifications: services.notifications, storage: services.storage)
        let text = try await demo.trace(as: .text).replacing(#/ {2,}/#, with: " ")
        #expect(app.failures == [])
        #expect(
            text.contains(
                """
                 6. Enter the metro
                 Gate is not in this app
                 Refused. No gate answers: this app has no module named Gate.

                """))
        #expect(!text.contains("opens") && text.contains(" 16. Read the log\n"))
    }

    @Test("The sample day lists each call with its source location")
    func calls() throws {
        let day = try Shell.day(data: try TemporaryFolder())
        for call in day.calls where call.way == "api" {
            let file = try #require(call.file), line = try #require(call.line)
            let caller = try #require(call.caller)
            let folder = [
                "Apps/Demo", "Apps/Shell", "Packages/Business/\(caller)", "Packages/Common/\(caller)",
            ].first {
                FileManager.default.fileExists(
                    atPath: Tree.root.appending(path: "\($0)/Sources/\(file)").path)
            }
            let source = try Tree.text("\(try #require(folder, "\(file)"))/Sources/\(file)")
            let text = source.components(separatedBy: "\n")[line - 1]
            #expect(
                text.range(
                    of: #"Api\(type: \#(call.name)Protocol\.self\)"#,
                    options: [.regularExpression, .caseInsensitive]) != nil, "\(file):\(line): \(text)")
            #expect(!call.isAbsent)
        }
        func has(_ way: String, _ caller: String?, _ callee: String, _ name: String) -> Bool {
            day.calls.contains {
                ($0.way, $0.callee, $0.name) == (way, callee, name) && $0.caller == caller
            }
        }
        // One call of each kind. Notifications have no caller.
        #expect(has("api", "Ride", "PayType", "PayTypeApi"))
        #expect(has("api", "Ride", "Gate", "GateApi"))
        #expect(has("api", "Demo", "User", "UserApi"))
        #expect(has("action", "Shell", "Ride", "ride/stations"))
        #expect(has("route", "Demo", "Journey", "journey_vc"))
        #expect(has("notification", nil, "Notifications", "RideNotificationRefreshCode"))
        #expect(has("action", "Demo", "WebContainer", "hybridWebView/jsFetchHybridWebViewController"))
    }
}
#endif
