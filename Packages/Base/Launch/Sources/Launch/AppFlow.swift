import ApiCenter
import Lifecycle
import Links
import Locking

/// What happens in an app in which order: the launch, the events for the services, and the opened links. Does not refer
/// to the host, which refers to this object.
final class AppFlow: Sendable {
    /// The results of the steps between the registration and the event `launch`.
    struct Started: Sendable {
        let preparation, links: LifecycleReport
        let error: (any Error)?
    }

    /// A launch that has begun.
    struct Start: Sendable {
        /// Ends when the links can be opened.
        let ready: Task<Started, Never>
        let launch: Delivery
    }

    private struct State {
        var start: Start?
        /// Whether `active` or `background` was posted last.
        var isActive = true
        /// The last `active` that was posted.
        var activation: Delivery?
        /// Ends when the last opened link is looked up.
        var lookup: AsyncStream<Never>?
    }

    private let modules: [any Module]
    private let links: AppLinks?
    private let services: [EventService]
    private let beforeLaunch: @Sendable (ApiCenter) async throws -> Void
    private let state = Locked(State())
    private let desk = LinkDesk()

    init(
        _ modules: [any Module], _ links: AppLinks?, _ services: [EventService],
        _ beforeLaunch: @escaping @Sendable (ApiCenter) async throws -> Void
    ) {
        (self.modules, self.links, self.services, self.beforeLaunch) = (
            modules, links, services, beforeLaunch
        )
    }

    /// Begins the launch, unless that has happened. The event `launch` takes the first place in the host's queue.
    func begin(_ host: ModuleHost, _ center: ApiCenter) -> Start {
        state.withLock { begin(&$0, host, center) }
    }

    private func begin(_ state: inout State, _ host: ModuleHost, _ center: ApiCenter) -> Start {
        if let start = state.start { return start }
        let start = Start(ready: Task { await self.start(host, center) }, launch: host.post(.launch))
        state.start = start
        return start
    }

    /// Prepares the modules, installs their links, and runs the app's own step.
    private func start(_ host: ModuleHost, _ center: ApiCenter) async -> Started {
        let preparation = await host.prepare()
        return await host.whilePreparing {
            let report = await installLinks(host, center, leftOut: Set(preparation.failures.map(\.module)))
            do {
                try await beforeLaunch(center)
                return Started(preparation: preparation, links: report, error: nil)
            } catch {
                return Started(preparation: preparation, links: report, error: error)
            }
        }
    }

    /// Installs the links of each module, in the order of the app's list. A module whose links collide is left out.
    private func installLinks(
        _ host: ModuleHost, _ center: ApiCenter, leftOut: Set<String>
    ) async -> LifecycleReport {
        var report = LifecycleReport(phase: "links", entries: [])
        if let links {
            for module in modules where !leftOut.contains(module.name) {
                guard let answering = module.conformance(to: (any LinkAnswering).self) else { continue }
                var outcome = LifecycleReport.Outcome.succeeded
                do {
                    try links.install(answering.links(in: center), module.name)
                } catch {
                    outcome = .failed(String(describing: error))
                    await host.leaveOut(module.name)
                }
                report.entries.append(.init(module: module.name, duration: .zero, outcome: outcome))
            }
        }
        return report
    }
}

// MARK: Events

extension AppFlow {
    /// Posts an event that is not a link.
    func post(_ event: LifecycleEvent, _ host: ModuleHost, _ center: ApiCenter) -> Delivery {
        state.withLock { state in
            _ = begin(&state, host, center)
            note(event, &state)
            let delivery = host.post(event)
            if event == .active { state.activation = delivery }
            return delivery
        }
    }

    /// Notes whether the app is in the foreground.
    func note(_ event: LifecycleEvent) { state.withLock { note(event, &$0) } }

    private func note(_ event: LifecycleEvent, _ state: inout State) {
        if event == .active { state.isActive = true }
        if event == .background { state.isActive = false }
    }

    /// Delivers an event whose turn has come: to the services and to the modules.
    func deliver(
        _ event: LifecycleEvent, _ deliver: () async -> LifecycleReport
    ) async -> LifecycleReport {
        // The first event in the queue is `launch`, so all others wait for the end of the preparation too.
        if event == .launch { _ = await state.withLock { $0.start }?.ready.value }
        var problems: [String] = []
        if event == .active { problems = await tell(\.active, of: event) }
        if event == .memoryWarning { problems = await tell(\.memoryWarning, of: event) }
        var report = await deliver()
        // The services stay active if the app has become active again.
        if event == .background, !state.withLock({ $0.isActive }) {
            problems = await tell(\.background, of: event)
        }
        report.warnings += problems
        return report
    }

    /// Tells the services of an event, and returns one line for each service that failed.
    private func tell(
        _ action: KeyPath<EventService, EventService.Action?> & Sendable, of event: LifecycleEvent
    ) async -> [String] {
        var problems: [String] = []
        for service in services {
            do {
                try await service[keyPath: action]?()
            } catch {
                problems.append("\(service.name) failed at \(event): \(error)")
            }
        }
        return problems
    }
}

// MARK: Links

extension AppFlow {
    /// Opens a link, and posts the event `openURL`.
    func open(_ request: AppLinks.Request, _ host: ModuleHost, _ center: ApiCenter) -> OpenedLink {
        state.withLock { state in
            let answer = answer(to: request, &state, host, center)
            return OpenedLink(answer: answer, delivery: host.post(.openURL(request.url)))
        }
    }

    /// Opens a link without telling the modules.
    func answer(
        to request: AppLinks.Request, _ host: ModuleHost, _ center: ApiCenter
    ) -> Task<(any Sendable)?, any Error> {
        state.withLock { answer(to: request, &$0, host, center) }
    }

    /// Takes the next place in the queue of links.
    private func answer(
        to request: AppLinks.Request, _ state: inout State, _ host: ModuleHost, _ center: ApiCenter
    ) -> Task<(any Sendable)?, any Error> {
        let ready = begin(&state, host, center).ready
        // The delivery of `active` that opens a link cannot wait for its own end.
        let (earlier, activation) = (state.lookup, host.isDelivering ? nil : state.activation)
        let (lookup, begun) = AsyncStream<Never>.makeStream()
        state.lookup = lookup
        return Task { [desk, links] in
            _ = await ready.value
            _ = await activation?.report
            if let earlier { for await _ in earlier {} }
            return try await desk.open(request, through: links, begun)
        }
    }
}

/// Looks links up one at a time.
private actor LinkDesk {
    /// Looks a link up and calls its handler. `begun` is finished here, so the next link can continue on this actor only
    /// when the handler of this one suspends, which is after the look-up.
    func open(
        _ request: AppLinks.Request, through links: AppLinks?, _ begun: AsyncStream<Never>.Continuation
    ) async throws -> (any Sendable)? {
        begun.finish()
        guard let links else { throw NoLinks(url: request.url) }
        return try await links.open(request)
    }
}
