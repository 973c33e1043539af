import ApiCenter
import Foundation
import Links
import Mediator
import Routes
import Synchronization

/// A record of the day: its steps, and for each step the messages to the passenger and the calls between modules, in
/// order.
///
/// The diary records only while a step is running. All methods are thread-safe.
final class Diary: Sendable {
    struct Step: Sendable {
        let title: String
        var entries: [Entry] = []
    }

    enum Entry: Sendable {
        /// A message to the passenger.
        case told(String)
        /// A refusal, with the reason shown to the passenger.
        case refused(String)
        case call(Call)
    }

    /// A call into a module.
    struct Call: Sendable, Hashable {
        enum Way: String, Sendable {
            case api, route, action, notification
        }

        let way: Way
        /// The module that made an Api call; nil for other calls, because routes, actions and notifications
        /// do not reveal their callers.
        let caller: String?
        /// The called module, even if it is absent; `Notifications` for a notification, whose observers are
        /// unknown.
        let callee: String
        /// The name of the Api, the pattern of the route, the target and its action, or the name of the
        /// notification.
        let name: String
        /// The source location of the call; nil when it is unknown.
        let site: CallSite?
        /// Whether the called module is missing from the app.
        var isAbsent = false
        /// The error that the handler of a route or an action threw. Errors of Api methods are not recorded.
        var error: String?
    }

    private struct State {
        var steps: [Step] = []
        var isStepRunning = false
        /// The module that registered each Api, keyed by the name of the Api.
        var providers: [String: String] = [:]
    }

    private let state = Mutex(State())
    private let observation = Mutex<(center: NotificationCenter, token: any NSObjectProtocol)?>(nil)

    var steps: [Step] { state.withLock { $0.steps } }

    /// Runs a step of the day and records its messages and calls.
    func step(_ title: String, _ body: () async -> Void) async {
        state.withLock {
            $0.steps.append(Step(title: title))
            $0.isStepRunning = true
        }
        await body()
        state.withLock { $0.isStepRunning = false }
    }

    func tell(_ text: String) { _ = note(.told(text)) }

    func refuse(_ text: String) { _ = note(.refused(text)) }

    /// Records the Api calls that go through a center, except a module's calls to its own Api.
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

    /// Records every notification that is posted. Call this at most once per diary.
    func observe(_ notifications: NotificationCenter) {
        observation.withLock { observation in
            let token = notifications.addObserver(forName: nil, object: nil, queue: nil) {
                [weak self] notification in
                let name = notification.name.rawValue
                self?.note(
                    .call(
                        Call(way: .notification, caller: nil, callee: "Notifications", name: name, site: nil)
                    ))
            }
            observation = (notifications, token)
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

    /// Records the calls of routes and actions.
    func observe(_ routes: Routes, _ mediator: Mediator) {
        let observer: LinkObserver = { [weak self] call in self?.begin(call) ?? { _ in } }
        routes.setObserver(observer)
        mediator.setObserver(observer)
    }

    /// Records the beginning of a call of a link. The returned closure records the call's error, if any.
    private func begin(_ call: LinkCall) -> @Sendable ((any Error)?) -> Void {
        guard let link = call.link, let module = call.module else { return { _ in } }
        let way: Call.Way = if case .route = link { .route } else { .action }
        let place = note(
            .call(Call(way: way, caller: nil, callee: module, name: link.description, site: nil)))
        return { [weak self] error in
            if let error, let place { self?.setError(String(describing: error), at: place) }
        }
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

    /// Records an entry and returns its position; nil when no step is running.
    @discardableResult
    private func note(_ entry: Entry) -> (step: Int, entry: Int)? {
        state.withLock { state in
            guard state.isStepRunning else { return nil }
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
