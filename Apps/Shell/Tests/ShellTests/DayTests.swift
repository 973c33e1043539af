import ApiCenter
import AppModules
import Demo
import Foundation
import GateLedger
import Launch
import Storage
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("The sample day")
struct DayTests {
    @Test(
        "A new passenger's day shows what each tap expects, with the expected refusals, and ends with a paid ride"
    )
    func first() throws {
        let data = try TemporaryFolder()
        let day = try Shell.day(data: data)
        #expect(day.steps.flatMap(\.outcomes).filter { $0.text.hasPrefix("With all modules") }.isEmpty)
        #expect(day.steps.allSatisfy { !$0.outcomes.isEmpty })
        #expect(day["Start the app"] == ["Home: Welcome to the metro."])
        #expect(
            day["Log in"] == [
                "- The name or the password is wrong; please check both and try again.", "Welcome, Li Lei.",
            ])
        #expect(
            day["Open the service"] == [
                "https://transit.example/terms",
                "- Please read the terms and agree to them.",
                "The service is open. How do you want to pay?",
            ])
        #expect(
            day["Pick a payment method"] == [
                "- Bank card: This payment method is not available to you; please choose another.",
                "You pay with: Monthly pass",
            ])
        #expect(
            day["Enter the metro"] == [
                "The gate at North Gate opens.", "The gate reports: opened", "The gate reports: closed",
            ])
        #expect(day["Get a new code"] == ["Here is a new code."])
        #expect(day["Switch to another app and back"].last == "Ride: You are on a ride from North Gate.")
        #expect(
            day["Open a link"] == ["The system tells the app: openURL(metro://ride/stations)"])
        #expect(day["Log out and in again"] == ["You are logged out.", "Welcome, Li Lei."])
        #expect(
            day["Leave the metro"] == [
                "The gate at Museum opens. North Gate - Museum: €2.00, paid with the monthly pass."
            ])
        let journeys = day["Look at the journeys"]
        #expect(journeys.first?.hasPrefix("My journeys: North Gate - Museum, €2.00, ") == true)
        // The token had expired, and the connection broke once: the server sends half of the statement at first.
        #expect(journeys.dropFirst() == ["Statement: The operator has charged you for 1 journey."])
        #expect(day["Tap the banner"] == ["https://metro.example/spring"])
        #expect(
            day["Read the log"].last?.hasSuffix("A ride from North Gate to Museum cost €2.00") == true)
        #expect(day.server.contains(/^http:\/\/127\.0\.0\.1:\d+, in this process$/))
        #expect(day.data == data.path)
    }

    @Test("A later day continues from stored data: the pages offer no log-in, and say why")
    func later() throws {
        let data = try TemporaryFolder()
        _ = try Shell.day(data: data)
        let second = try Shell.day(data: data)
        #expect(second["Start the app"] == ["Home: Good day, Li Lei."])
        #expect(second["Log in"] == ["Account: You are logged in as Li Lei."])
        #expect(!second.steps.flatMap(\.outcomes).contains { $0.text.hasPrefix("With all modules") })
        #expect(second["Open the service"].first == "Open the ride service: The service is open.")
        #expect(second["Leave the metro"].count == 1)
        let listed = try Shell.run("open", "app://journeys/2", data: data)
        #expect(listed.output.matches(of: /North Gate - Museum, €2\.00\n/).count == 2)
    }

    @Test("Data of an earlier run is not a missing module: the day of a logged-out passenger names none")
    func loggedOut() throws {
        let data = try TemporaryFolder()
        _ = try Shell.day(data: data)
        // Only the session is lost, as after a log-out in the browser.
        for file in ["user.json", "secrets/user-session.secret"] {
            try FileManager.default.removeItem(at: data.file(file))
        }
        let second = try Shell.day(data: data)
        #expect(second["Start the app"] == ["Home: Welcome to the metro."])
        #expect(!second.steps.flatMap(\.outcomes).contains { $0.text.hasPrefix("With all modules") })
    }

    /// Plays the day without a module, and returns the report and the reasons that the passenger does not read.
    private func trace(without module: String) async throws -> (text: String, complaints: [String]) {
        let day = try SampleDay()
        let services = AppServices(storage: .inMemory(), client: day.client, key: day.key).untimed
        let modules = Registrations.modules.filter { $0.name != module }
        let center = ApiCenter()
        center.register(GateSettings.self) { [gate = day.gate] in gate }
        let app = try ModularApp(day.watching(modules), on: services, center: center) {
            try day.connect($0, storage: services.storage)
        }
        let launch = await app.launch()
        #expect(launch.failureLines == [])
        let demo = DemoApp(
            day: day, app: app, launch: launch, names: Registrations.names, routes: services.routes,
            mediator: services.mediator, notifications: services.notifications, storage: services.storage)
        let complaints = Shared<[String]>([])
        let text = try await demo.trace(as: .text) { complaint in complaints.update { $0.append(complaint) } }
        return (text.replacing(#/ {2,}/#, with: " "), complaints.value)
    }

    @Test("The reason of a failure, which the passenger does not read, is not lost")
    func reasons() async throws {
        let (text, complaints) = try await trace(without: "WebContainer")
        let sentence = "This app cannot show web pages."
        #expect(text.contains(" 14. Tap the banner\n Refused. \(sentence)\n"))
        #expect(complaints.contains { $0.contains(": \(sentence) (") })
    }

    @Test("In an app without Gate, the day says so, passes no gate, and continues")
    func withoutGate() async throws {
        let (text, complaints) = try await trace(without: "Gate")
        #expect(complaints == [])
        #expect(
            text.contains(
                """
                 6. Enter the metro
                 Refused. No gate answers: this app has no module named Gate.
                 With all modules, a new passenger reads: The gate at North Gate opens.

                """))
        #expect(text.contains(" 8. Switch to another app and back\n The system tells the app: background\n"))
        #expect(!text.contains("\n The gate at ") && text.contains(" 15. Read the log\n"))
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
        // One call of each kind. A notification's caller is the module in whose code its poster runs.
        #expect(has("api", "Ride", "PayType", "PayTypeApi"))
        #expect(has("api", "Ride", "Gate", "GateApi"))
        #expect(has("api", "Demo", "Ride", "RideApi"))
        #expect(has("action", "Demo", "Ride", "ride/stations"))
        #expect(has("route", "Demo", "Journey", "journey_vc"))
        #expect(has("route", "ServiceOpen", "WebContainer", "web_vc"))
        #expect(has("notification", "Ride", "Notifications", "RideNotificationRefreshCode"))
        #expect(has("action", "Home", "WebContainer", "hybridWebView/jsFetchHybridWebViewController"))
    }
}
#endif
