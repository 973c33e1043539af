import ApiCenter

/// Registers an app's modules and passes the app's events to them.
///
/// ```swift
/// let host = try ModuleHost([ModuleAModule(), ModuleBModule()], center: .shared)
/// await host.send(.launch)
/// ```
///
/// - There are two phases: the initialiser registers every module, and events can be sent only afterwards.
/// - The modules get an event one at a time, in the listed order, except that each module comes after the
///   modules that it names in ``Module/after``. The modules get ``LifecycleEvent/terminate`` in reverse order.
/// - A module that fails or takes too long is reported, and the other modules still get the event.
/// - Each event has two time limits: one for each module, and one for all modules together. When the limit for all
///   modules has expired, the remaining modules are not called, and the report lists them as skipped.
/// - Events are delivered one at a time: an event that is sent during another event is queued. The exception is
///   an event sent by a module, or by a task that the module started, while the module is handling an event:
///   the host delivers the new event immediately, because queueing it would deadlock. Awaiting such
///   a delivery counts towards the module's own time limit.
public final class ModuleHost: Sendable {
    /// A name in a module's ``Module/after`` that matches no module of the app, because the named module was
    /// left out or the name is misspelt.
    public struct AbsentModule: Sendable, Hashable {
        /// The unmatched name.
        public let name: String
        /// The module whose ``Module/after`` contains the name.
        public let namedBy: String
    }

    /// The modules in the order they get events.
    public let modules: [any Module]

    /// The report on the registration of the modules.
    public let registration: LifecycleReport

    /// The names in ``Module/after`` that match no module of the app.
    public let absent: [AbsentModule]

    private let center: ApiCenter
    private let failed: Set<String>
    private let timeLimit: Duration
    private let eventLimit: Duration
    private let stopwatch: Stopwatch
    private let queue = EventQueue()

    /// Registers `modules` in `center`, in the order in which they get events.
    ///
    /// - Parameters:
    ///   - modules: The app's modules. Their names must differ.
    ///   - center: The center in which the modules register. The host keeps it alive.
    ///   - timeLimit: The longest time that a module may take to handle an event.
    ///   - eventLimit: The longest time that all modules together may take to handle an event.
    ///   - clock: The clock that measures the limits; tests pass their own clock.
    /// - Throws: ``LifecycleError`` if two modules have the same name or the `after` lists form a cycle. In
    ///   both cases the host registers no module.
    public init(
        _ modules: [any Module], center: ApiCenter,
        timeLimit: Duration = .seconds(10), eventLimit: Duration = .seconds(30),
        clock: some Clock<Duration> = ContinuousClock()
    ) throws(LifecycleError) {
        let order = try ModuleOrder(modules)
        let stopwatch = Stopwatch(clock)
        registration = LifecycleReport(
            phase: "register",
            entries: order.modules.map { module in
                let start = stopwatch.now()
                let outcome: LifecycleReport.Outcome
                do {
                    try center.allOrNothing { try module.register(in: center) }
                    outcome = .succeeded
                } catch {
                    outcome = .failed(String(describing: error))
                }
                return .init(module: module.name, duration: stopwatch.now() - start, outcome: outcome)
            })
        failed = Set(registration.failures.map(\.module))
        self.center = center
        self.modules = order.modules
        absent = order.absent
        self.timeLimit = timeLimit
        self.eventLimit = eventLimit
        self.stopwatch = stopwatch
    }

    /// Sends an event to every module, and reports how each module handled it.
    ///
    /// Returns when every module has finished or has exceeded its time limit. If a module awaits this call in
    /// its `handle`, the call counts towards the module's time limit and is cancelled when the limit expires.
    /// Cancelling the sending task cancels the module that is handling the event; the remaining modules still
    /// get the event, in tasks that are already cancelled.
    @discardableResult
    public func send(_ event: LifecycleEvent) async -> LifecycleReport {
        if Delivery.isUnderWay(of: self) { return await deliver(event) }
        return await queue.run {
            await Delivery.of(self) { await self.deliver(event) }
        }
    }

    private func deliver(_ event: LifecycleEvent) async -> LifecycleReport {
        var entries: [LifecycleReport.Entry] = []
        let end = stopwatch.now() + eventLimit
        for module in event == .terminate ? modules.reversed() : modules {
            let start = stopwatch.now()
            let limit = min(timeLimit, end - start)
            let outcome: LifecycleReport.Outcome =
                failed.contains(module.name) || limit <= .zero
                ? .skipped : await deliver(event, to: module, within: limit)
            entries.append(
                .init(module: module.name, duration: stopwatch.now() - start, outcome: outcome))
        }
        return LifecycleReport(phase: event.description, entries: entries)
    }

    /// Delivers an event to one module, and waits until the module finishes or the time limit expires. A module
    /// that ignores the cancellation is left running.
    private func deliver(
        _ event: LifecycleEvent, to module: any Module, within limit: Duration
    ) async -> LifecycleReport.Outcome {
        let (outcomes, first) = AsyncStream<LifecycleReport.Outcome>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        let work = Task { [center] in
            do {
                try await module.handle(event, in: center)
                first.yield(.succeeded)
            } catch {
                first.yield(.failed(String(describing: error)))
            }
        }
        let timer = Task { [stopwatch] in
            do { try await stopwatch.sleep(limit) } catch { return }
            first.yield(.timedOut(limit))
            work.cancel()
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            // The outcome is read in a separate task, so that a cancelled sender still gets it.
            await Task { await outcomes.first { _ in true } ?? .timedOut(limit) }.value
        } onCancel: {
            work.cancel()
        }
    }
}
