import ApiCenter
import AppModules
import Foundation
import GateApi
import GateLedger
import HomeApi
import JourneyApi
import Launch
import LoggerApi
import ModuleAApi
import ModuleBApi
import ModuleCApi
import PayTypeApi
import RideApi
import Routes
import SDKManagerApi
import ServiceOpenApi
import Storage
import Testing
import UserApi
import WebContainerApi

@testable import Demo

@Suite("What is recorded of the calls between modules")
struct RecordTests {
    /// Takes a ride in a browser, after a log-in with a wrong password.
    private func ride() async throws -> (day: SampleDay, center: ApiCenter, codes: [String]) {
        let day = try SampleDay()
        let services = AppServices(storage: .inMemory(), client: day.client, key: day.key)
        let center = ApiCenter()
        center.register(GateSettings.self) { [gate = day.gate] in gate }
        let app = try ModularApp(day.watching(Registrations.modules), on: services, center: center) {
            try day.connect($0, storage: services.storage)
        }
        let demo = DemoApp(
            day: day, app: app, launch: await app.launch(), names: Registrations.names,
            routes: services.routes, mediator: services.mediator, notifications: services.notifications,
            storage: services.storage)
        let server = try await demo.browse(port: 0, complain: { _ in })
        defer { server.stop() }
        let surfer = Surfer(at: server.address)
        try await surfer.open("/user_vc")
        try await surfer.tap("Log in", ["phone": "secret-1", "password": "secret-2"])
        try await surfer.tap("Log in", ["phone": "13800138000", "password": "secret-3"])
        try await surfer.tap("Log in", ["phone": "13800138000", "password": "correct horse"])
        try await surfer.open("/service_open_vc")
        try await surfer.tap("Open the service", ["terms": "on"])
        try await surfer.tap("Balance")
        var codes: [String] = []
        for button in ["Enter the metro", "Get a new code", "Leave the metro"] {
            try await surfer.open("/ride_vc")
            codes.append(try #require(surfer.text.firstMatch(of: /[0-9A-V]{26}/)).output.description)
            try await surfer.tap(button)
        }
        day.diary.begin("Links and URLs")
        let routes = try center.requireApi(type: Routes.self)
        let url = "https://ann:secret-6@x.example/a?token=secret-7"
        for parameters in [
            ["url": url], ["url": url, "password": "secret-8"], ["url": url, "backward": "true"],
        ] {
            _ = await routes.routeURL(WebContainerRoute.page, parameters: parameters)
        }
        try await surfer.open("/user_vc?password=secret-9")
        let terms = try await surfer.send(
            "/web?url=https://x.example?token=secret-10", nil, ["Sec-Fetch-Site": "same-origin"])
        #expect(terms.html.contains("Open “https://x.example”"))
        let web = try center.requireApi(type: WebContainerApiProtocol.self)
        _ = try web.page(for: "x.example?token=secret-11", backward: false)
        #expect(throws: WebContainerApiError.self) {
            try web.page(for: "http://x.example?token=secret-12", backward: false)
        }
        try await surfer.open("/try")
        for link in [
            "app://web_vc?token=secret-13", "app://journeys/secret-14", "secret-15://?%", "app://secret-16",
        ] {
            try await surfer.tap("Open the link", ["link": link])
            #expect(surfer.text.contains("The link was refused: "))
        }
        day.diary.begin("Another module logs")
        let logger = try center.requireApi(type: LoggerApiProtocol.self)
        logger.log(.warning, "13800138000 logged in with secret-17, and showed \(codes.joined())")
        day.diary.begin("Another module logs in")
        let user = try center.requireApi(type: UserApiProtocol.self)
        await #expect(throws: UserApiError.badPhone("secret-4")) {
            try await user.logIn(phone: "secret-4", password: "secret-5")
        }
        return (day, center, codes)
    }

    private func call(
        _ caller: String, _ callee: String, _ member: String, in group: TapGroup?
    ) throws -> ModuleCall {
        try #require(
            group?.calls.first {
                ($0.caller, $0.callee) == (caller, callee) && ($0.member ?? $0.name).hasPrefix(member)
            }, "\(caller) \(callee) \(member)")
    }

    @Test("A tap is one group of who asked whom for what, with value, duration, requests and messages")
    func tap() async throws {
        let day = try await ride().day
        let leave = day.diary.groups.last { $0.title == "Tap “Leave the metro” on “Ride”" }
        let pass = try call("Ride", "Gate", "pass(station: “Museum”)", in: leave)
        #expect(pass.value == "passed at Museum" && pass.seconds.map { $0 > 0 } == true)
        #expect(pass.place.hasPrefix("RideService.swift:") || pass.place.hasPrefix("GateQueue.swift:"))
        let pay = try call("Ride", "PayType", "pay(North Gate - ", in: leave)
        #expect(pay.value?.contains("from the balance") == true)
        // The request runs during the call of PayType.
        let request = try call("PayType", ModuleCall.server, "POST /payments", in: leave)
        #expect(request.value == "200" && request.seconds != nil)
        let parent = try #require(request.parent.flatMap { leave?.events[$0].call })
        #expect(parent == pay)
        #expect(try call("Ride", "User", "session", in: leave).value == "Li Lei")
        #expect(try call("Ride", "Journey", "record(", in: leave).value == nil)
        #expect(try call("Demo", "Ride", "ride_vc", in: leave).seconds != nil)
        #expect(
            leave?.events.contains { if case .told(let text) = $0 { text.contains("opens") } else { false } }
                == true)
        // Asking a module for something is one event, and no look-up besides.
        #expect(leave?.calls.allSatisfy { $0.way != .api || $0.member != nil } == true)
        let posted = day.diary.groups.last { $0.title == "Tap “Get a new code” on “Ride”" }
        let post = try #require(posted?.calls.first { $0.way == .notification })
        #expect(post.caller == "Ride" && post.name == RideNotification.refreshCode)
    }

    @Test(
        "The record contains no password, no token, no ride code, and nothing that was typed into a wrong field"
    )
    func secrets() async throws {
        let (day, _, codes) = try await ride()
        let record = "\(day.diary.groups)"
        #expect(record.contains("POST /user/login"))
        for secret in ["secret-", "correct horse", "13800138000", "t-8fd1-"] + codes {
            #expect(!record.contains(secret), "\(secret)")
        }
        let logged = day.diary.groups.last { $0.title == "Another module logs" }
        #expect(logged?.calls.map(\.member) == ["log(.warning)"])
        let logIn = try #require(day.diary.groups.last?.calls.last)
        #expect(logIn.member == "logIn(phone:password:)" && logIn.error == "badPhone")
    }

    @Test("Of a link's parameters, the record contains the names, and the values of harmless ones")
    func links() async throws {
        let diary = try await ride().day.diary
        let group = try #require(diary.groups.first { $0.title == "Links and URLs" })
        #expect(
            group.calls.filter { $0.way == .route }.map(\.member) == [
                "url: “https://x.example/a”", "password, url: “https://x.example/a”",
                "backward: “true”, url: “https://x.example/a”",
            ])
        let members = diary.groups.flatMap(\.calls).compactMap(\.member)
        #expect(members.contains("password") && members.contains("page(for: “x.example”)"))
    }

    @Test("Of a value of an unlisted type, the record contains the type alone")
    func unlisted() {
        struct Token { let text = "secret-6" }
        enum Holder { case token(String) }
        #expect(RecordedText.of(Token()) == "Token")
        #expect(RecordedText.of(Optional(Token()) as Any) == "Token")
        #expect(RecordedText.of(Holder.token("secret-6")) == "Holder")
        #expect(RecordedText.of([Token()]) == "Array")
        #expect(RecordedText.of(GateCode(text: "secret-6", expires: .now)) == "a code")
        #expect(RecordedText.of(String?.none as Any) == "nothing")
        #expect(RecordedText.of(Optional("x") as Any) == "“x”")
        #expect(RecordedText.of(()) == nil)
        #expect(RecordedText.of(["a", nil] as [String?]) == "“a”, nothing")
    }

    @Test("A forwarder stands before the IMP of each Api")
    func forwarders() async throws {
        let center = try await ride().center
        let imps: [Any?] = [
            center.api(type: GateApiProtocol.self), center.api(type: HomeApiProtocol.self),
            center.api(type: JourneyApiProtocol.self), center.api(type: LoggerApiProtocol.self),
            center.api(type: ModuleAApiProtocol.self), center.api(type: ModuleBApiProtocol.self),
            center.api(type: ModuleCApiProtocol.self), center.api(type: PayTypeApiProtocol.self),
            center.api(type: RideApiProtocol.self), center.api(type: SDKManagerApiProtocol.self),
            center.api(type: ServiceOpenApiProtocol.self), center.api(type: UserApiProtocol.self),
            center.api(type: WebContainerApiProtocol.self),
        ]
        for imp in imps {
            #expect(
                imp.map { "\(type(of: $0))".hasSuffix("Forwarder") } == true, "\(String(describing: imp))")
        }
    }

    @Test("A place leads to its lines, and only files of the checkout are shown")
    func places() throws {
        let call = ModuleCall(
            way: .api, caller: "Ride", callee: "Gate", name: "GateApi", file: "Ride/RideService.swift",
            line: 45)
        let target = try #require(SourcePage.target(of: call))
        let page = try #require(SourcePage(query: String(target.drop { $0 != "?" }.dropFirst())))
        let path = Tree.root.appending(path: "Packages/Business/Ride/Sources/Ride/RideService.swift").path
        let text = try Tree.text("Packages/Business/Ride/Sources/Ride/RideService.swift")
        let line = text.components(separatedBy: "\n")[44]
        #expect(
            page.document.contains(
                "<li value=\"45\" class=\"here\" aria-current=\"true\"><code>\(line.escaped)</code>"))
        #expect(page.document.contains("href=\"vscode://file\(path):45\""))
        #expect(
            page.document.contains("xed --line 45 &#39;\(path)&#39;")
                || page.document.contains("xed --line 45 '\(path)'"))
        for query in [
            "file=..%2F..%2Fetc%2Fpasswd&line=1", "file=%2Fetc%2Fpasswd&line=1",
            "file=Ride%2FNone.swift&line=1",
            "file=Ride%2FRideService.swift&line=0", "file=Ride%2FRideService.swift", "",
        ] {
            #expect(SourcePage(query: query) == nil, "\(query)")
        }
        let elsewhere = Checkout(root: URL(filePath: "/nowhere"))
        #expect(SourcePage.target(of: call, in: elsewhere) == nil)
    }
}
