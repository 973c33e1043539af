import ApiCenter
import Foundation
import Synchronization

/// What happened on the app's day: its steps, what the passenger was told in each, and the calls across module
/// borders below it, in the order in which they were made.
///
/// Calls are noted while a step is under way. All operations are safe from every thread.
final class Diary: Sendable {
    struct Step: Sendable {
        let title: String
        var entries: [Entry] = []
    }

    enum Entry: Sendable {
        /// The passenger was told something.
        case told(String)
        /// The passenger was refused something, and why.
        case refused(String)
        case call(Call)
    }

    /// A call into a module.
    struct Call: Sendable, Hashable {
        enum Way: String, Sendable {
            case api, route, action, notification
        }

        let way: Way
        /// The calling module; nil for a call by other ways than an Api, which do not tell who makes it.
        let caller: String?
        /// The module that answers, or would; `Notifications` for those, which do not tell who listens.
        let callee: String
        /// The Api's name, the route's pattern, the target and its action, or the notification's name.
        let name: String
        /// Where the call stands in the caller's source.
        let site: CallSite?
        /// Whether the app has the module.
        var isAbsent = false
        /// Why it was refused, as far as that can be seen from here.
        var error: String?
    }

    private struct State {
        var steps: [Step] = []
        var isStepUnderWay = false
        /// By Api: the module that has registered it.
        var providers: [String: String] = [:]
    }

    private let state = Mutex(State())
    private let listening = Mutex<(center: NotificationCenter, token: any NSObjectProtocol)?>(nil)

    var steps: [Step] { state.withLock { $0.steps } }

    /// Runs a step of the day, and notes what happens in it.
    func step(_ title: String, _ body: () async -> Void) async {
        state.withLock {
            $0.steps.append(Step(title: title))
            $0.isStepUnderWay = true
        }
        await body()
        state.withLock { $0.isStepUnderWay = false }
    }

    func tell(_ text: String) { _ = note(.told(text)) }

    func refuse(_ text: String) { _ = note(.refused(text)) }

    /// Notes the calls that modules make by a center. A module's questions about its own Api are none.
    func observe(_ center: ApiCenter) {
        center.setObserver { [weak self] call in
            guard let self, let (callee, name) = answering(call.api), callee != call.site.module else {
                return
            }
            note(
                .call(
                    Call(
                        way: .api, caller: call.site.module, callee: callee, name: name, site: call.site,
                        isAbsent: !call.isRegistered)))
        }
    }

    /// Notes the notifications that are posted. Once in a diary's life.
    func observe(_ notifications: NotificationCenter) {
        listening.withLock { listening in
            let token = notifications.addObserver(forName: nil, object: nil, queue: nil) {
                [weak self] notification in
                let name = notification.name.rawValue
                self?.note(
                    .call(
                        Call(way: .notification, caller: nil, callee: "Notifications", name: name, site: nil)
                    ))
            }
            listening = (notifications, token)
        }
    }

    deinit {
        listening.withLock { listening in
            if let listening { listening.center.removeObserver(listening.token) }
        }
    }

    /// Notes which module registered these Apis.
    func provides(_ module: String, _ apis: some Sequence<String> & Sendable) {
        state.withLock { state in
            for api in apis { state.providers[api] = module }
        }
    }

    /// The Apis that a module registered, sorted.
    func apis(of module: String) -> [String] {
        state.withLock { $0.providers.filter { $0.value == module }.keys.sorted() }
    }

    /// Makes a call by route or by name, and notes it.
    func call<Value>(_ way: Call.Way, _ name: String, of module: String, _ body: () throws -> Value) rethrows
        -> Value
    {
        let place = note(way, name, of: module)
        do { return try body() } catch { throw noted(error, at: place) }
    }

    /// The same for a call that takes its time.
    nonisolated(nonsending) func call<Value>(
        _ way: Call.Way, _ name: String, of module: String, _ body: () async throws -> Value
    ) async throws -> Value {
        let place = note(way, name, of: module)
        do { return try await body() } catch { throw noted(error, at: place) }
    }

    private func note(_ way: Call.Way, _ name: String, of module: String) -> (step: Int, entry: Int)? {
        note(.call(Call(way: way, caller: nil, callee: module, name: name, site: nil)))
    }

    /// The error of a call, after it was noted.
    private func noted(_ error: any Error, at place: (step: Int, entry: Int)?) -> any Error {
        if let place { setError(String(describing: error), at: place) }
        return error
    }

    /// The module behind an Api and the Api's short name; nil for what is no module's Api.
    private func answering(_ api: String) -> (module: String, name: String)? {
        let parts = api.split(separator: ".").map(String.init)
        guard let package = parts.first, package.hasSuffix("Api"), let type = parts.last else { return nil }
        let provider = state.withLock { $0.providers[api] }
        return (
            provider ?? String(package.dropLast("Api".count)),
            type.hasSuffix("Protocol") ? String(type.dropLast("Protocol".count)) : type
        )
    }

    /// Notes something, and says where; nil when no step is under way.
    @discardableResult
    private func note(_ entry: Entry) -> (step: Int, entry: Int)? {
        state.withLock { state in
            guard state.isStepUnderWay else { return nil }
            let step = state.steps.count - 1
            state.steps[step].entries.append(entry)
            return (step, state.steps[step].entries.count - 1)
        }
    }

    private func setError(_ error: String, at place: (step: Int, entry: Int)) {
        state.withLock { state in
            guard case .call(var call) = state.steps[place.step].entries[place.entry] else { return }
            call.error = error
            state.steps[place.step].entries[place.entry] = .call(call)
        }
    }
}
