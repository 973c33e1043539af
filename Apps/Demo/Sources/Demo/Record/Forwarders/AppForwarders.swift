import HomeApi
import LoggerApi
import ModuleAApi
import ModuleBApi
import ModuleCApi
import SDKManagerApi
import UserApi
import WebContainerApi

struct UserForwarder: UserApiProtocol {
    let imp: any UserApiProtocol
    let calls: CallRecorder

    var session: UserSession? { calls.record("session", "who is logged in") { imp.session } }

    /// Only the opening of the stream is recorded.
    func sessions() -> AsyncStream<UserSession?> {
        calls.record("sessions()", "to tell of each log-in and log-out") { imp.sessions() }
    }

    /// The record contains neither the number nor the password.
    func logIn(phone: String, password: String) async throws(UserApiError) -> UserSession {
        try await calls.record("logIn(phone:password:)", "to log the passenger in") {
            () async throws(UserApiError) in
            try await imp.logIn(phone: phone, password: password)
        }
    }

    func logOut() async throws(UserApiError) {
        try await calls.record("logOut()", "to log the passenger out") { () async throws(UserApiError) in
            try await imp.logOut()
        }
    }
}

struct HomeForwarder: HomeApiProtocol {
    let imp: any HomeApiProtocol
    let calls: CallRecorder

    func banner() async throws(HomeApiError) -> HomeBanner {
        try await calls.record("banner()", "for today's news") { () async throws(HomeApiError) in
            try await imp.banner()
        }
    }
}

struct LoggerForwarder: LoggerApiProtocol {
    let imp: any LoggerApiProtocol
    let calls: CallRecorder

    /// The record does not contain the message, because a module may have written anything into it.
    func log(_ level: LogLevel, _ message: String) {
        calls.record("log(.\(level))", "to write to the log") { imp.log(level, message) }
    }

    func recent(limit: Int) -> [String] {
        calls.record("recent(limit: \(limit))", "for the end of the log") { imp.recent(limit: limit) }
    }
}

struct SDKManagerForwarder: SDKManagerApiProtocol {
    let imp: any SDKManagerApiProtocol
    let calls: CallRecorder

    func initialise(
        _ configuration: SDKConfiguration, jump: @Sendable (SDKStart) -> Void
    ) throws(SDKManagerApiError) {
        try calls.record("initialise(_:jump:)", "to use this server") { () throws(SDKManagerApiError) in
            try imp.initialise(configuration, jump: jump)
        }
    }

    func moreMenu() -> [SDKMenuItem] { calls.record("moreMenu()", "for the menu") { imp.moreMenu() } }
}

struct WebContainerForwarder: WebContainerApiProtocol {
    let imp: any WebContainerApiProtocol
    let calls: CallRecorder

    func page(for url: String, backward: Bool) throws(WebContainerApiError) -> WebPage {
        try calls.record("page(for: \(RecordedText.quoted(RecordedText.address(url))))", "to show a web page")
        {
            () throws(WebContainerApiError) in
            try imp.page(for: url, backward: backward)
        }
    }
}

struct ModuleAForwarder: ModuleAApiProtocol {
    let imp: any ModuleAApiProtocol
    let calls: CallRecorder

    func descriptionA() -> String { calls.record("descriptionA()", "who it is") { imp.descriptionA() } }
    func askOthers() -> [String?] { calls.record("askOthers()", "to ask the others") { imp.askOthers() } }
}

struct ModuleBForwarder: ModuleBApiProtocol {
    let imp: any ModuleBApiProtocol
    let calls: CallRecorder

    func descriptionB() -> String { calls.record("descriptionB()", "who it is") { imp.descriptionB() } }
    func askOthers() -> [String?] { calls.record("askOthers()", "to ask the others") { imp.askOthers() } }
}

struct ModuleCForwarder: ModuleCApiProtocol {
    let imp: any ModuleCApiProtocol
    let calls: CallRecorder

    func descriptionC() -> String { calls.record("descriptionC()", "who it is") { imp.descriptionC() } }
    func askOthers() -> [String?] { calls.record("askOthers()", "to ask the others") { imp.askOthers() } }
}
