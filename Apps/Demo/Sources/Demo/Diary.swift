import ApiCenter
import Foundation
import Links
import Synchronization

/// A record of what the passenger does and reads, and of the calls between modules, in order. The reports of the day are
/// made from it, and the browser follows it live.
///
/// All methods are thread-safe.
final class Diary: Sendable {
    enum Entry: Sendable, Hashable {
        /// A step of the sample day begins.
        case step(String)
        /// The passenger opens a page or taps something on it.
        case visit(String)
        /// A message to the passenger.
        case told(String)
        /// A refusal, with the reason shown to the passenger.
        case refused(String)
        case call(Call)
        /// A call of a route or an action ended with an error.
        case failed(Call, String)
    }

    /// A call into a module.
    struct Call: Encodable, Sendable, Hashable {
        enum Way: String, Encodable, Sendable {
            case api, route, action, notification
        }

        let way: Way
        /// The calling module; nil for a notification, which does not reveal its poster.
        let caller: String?
        /// The called module, even if it is absent; `Notifications` for a notification, whose observers are
        /// unknown.
        let callee: String
        /// The name of the Api, the pattern of the route, the target and its action, or the name of the
        /// notification.
        let name: String
        /// The source location of the call; nil when it is unknown.
        var file: String?
        var line: UInt?
        /// Whether the called module is missing from the app.
        var isAbsent = false
        /// The error with which the call of a route or an action ended. Errors of Api methods are not recorded.
        var error: String?

        /// The name of the file and the line of the call, such as `HomePage.swift:18`; empty when they are unknown.
        var place: String {
            guard let file, let line else { return "" }
            return "\(file.split(separator: "/").last ?? ""):\(line)"
        }
    }

    private struct State {
        var entries: [Entry] = []
        /// The number of entries that have been dropped.
        var dropped = 0
        var end: Int { dropped + entries.count }
        /// The module that registered each Api, keyed by the name of the Api.
        var providers: [String: String] = [:]
        var followers: [ObjectIdentifier: DispatchSemaphore] = [:]
    }

    /// The number of entries that are kept at least, so that an app that runs for days needs no more memory.
    static let limit = 20_000

    private let state = Mutex(State())
    private let observation = Mutex<(center: NotificationCenter, token: any NSObjectProtocol)?>(nil)

    /// The entries so far, without the oldest of a long run.
    var entries: [Entry] { state.withLock { $0.entries } }

    func note(_ entry: Entry) {
        let followers = state.withLock { state in
            state.entries.append(entry)
            if state.entries.count > 2 * Self.limit {
                state.entries.removeFirst(Self.limit)
                state.dropped += Self.limit
            }
            return Array(state.followers.values)
        }
        for follower in followers { follower.signal() }
    }

    /// The position after the last entry.
    var end: Int { state.withLock { $0.end } }

    /// Returns the entries from a position on, and the position after the last one. Positions count from the start of the
    /// record.
    func entries(from position: Int) -> (entries: [Entry], end: Int) {
        state.withLock { state in
            let start = min(max(position, state.dropped), state.end)
            return (Array(state.entries[(start - state.dropped)...]), state.end)
        }
    }

    /// Calls `read` at once, after new entries, and every `pause` seconds, until it returns false. Blocks its thread.
    func follow(pause: Int, _ read: () -> Bool) {
        let signal = DispatchSemaphore(value: 0)
        state.withLock { $0.followers[ObjectIdentifier(signal)] = signal }
        defer { state.withLock { _ = $0.followers.removeValue(forKey: ObjectIdentifier(signal)) } }
        while read() {
            _ = signal.wait(timeout: .now() + .seconds(pause))
            // One `read` takes all entries so far.
            while signal.wait(timeout: .now()) == .success {}
        }
    }

    /// Records the calls in an app from now on: of Apis, except a module's calls to its own Api, of routes and actions,
    /// and every notification. Call this at most once per diary.
    func observe(_ app: DemoApp) {
        app.center.addObserver { [weak self] call in
            guard let self, let (callee, name) = answering(call.api), callee != call.site.module else {
                return
            }
            let noted = Call(
                way: .api, caller: call.site.module, callee: callee, name: name,
                file: call.site.fileID, line: call.site.line, isAbsent: !call.isRegistered)
            note(call.failure.map { .failed(noted, String(describing: $0)) } ?? .call(noted))
        }
        observe(app.routes.table)
        observation.withLock { observation in
            let token = app.notifications.addObserver(forName: nil, object: nil, queue: nil) {
                [weak self] notification in
                let name = notification.name.rawValue
                self?.note(
                    .call(Call(way: .notification, caller: nil, callee: "Notifications", name: name)))
            }
            observation = (app.notifications, token)
        }
    }

    /// Records the calls of routes and actions.
    func observe(_ links: LinkTable) {
        links.addObserver { [weak self] call in self?.begin(call) ?? { _ in } }
    }

    /// Records the beginning of a call of a link. The returned closure records the call's error, if any.
    private func begin(_ link: LinkCall) -> @Sendable ((any Error)?) -> Void {
        guard let name = link.link, let module = link.module else { return { _ in } }
        let way: Call.Way = if case .route = name { .route } else { .action }
        let call = Call(
            way: way, caller: link.caller.module, callee: module, name: name.description,
            file: link.caller.fileID, line: link.caller.line)
        note(.call(call))
        return { [weak self] error in
            if let error { self?.note(.failed(call, String(describing: error))) }
        }
    }

    deinit {
        observation.withLock { observation in
            if let observation { observation.center.removeObserver(observation.token) }
        }
    }

    /// Records that a module registered these Apis.
    func provides(_ module: String, _ apis: some Sequence<String> & Sendable) {
        state.withLock { state in
            for api in apis { state.providers[api] = module }
        }
    }

    /// Returns the names of the Apis that a module registered, sorted.
    func apis(of module: String) -> [String] {
        state.withLock { $0.providers.filter { $0.value == module }.keys.sorted() }
    }

    /// Returns the module that implements an Api, and the short name of the Api; nil for a type that is not
    /// declared in an Api package.
    private func answering(_ api: String) -> (module: String, name: String)? {
        let parts = api.split(separator: ".").map(String.init)
        guard let package = parts.first, package.hasSuffix("Api"), let type = parts.last else { return nil }
        let provider = state.withLock { $0.providers[api] }
        return (
            provider ?? String(package.dropLast("Api".count)),
            type.hasSuffix("Protocol") ? String(type.dropLast("Protocol".count)) : type
        )
    }
}
