import ApiCenter

/// Registers an app's modules and passes the app's events to them.
///
/// ```swift
/// let host = try ModuleHost([ModuleAModule(), ModuleBModule()], center: .shared)
/// await host.send(.launch)
/// ```
///
/// - There are three phases. The initialiser registers every module. Then every module prepares, once: in
///   ``prepare()``, or in the first ``send(_:)`` if the app does not call that method itself. Then the app sends events.
/// - The modules prepare and get an event one at a time, in the listed order, except that each module comes after the
///   modules that it names in ``Module/after``. The modules get ``LifecycleEvent/terminate`` in reverse order.
/// - A module that fails or takes too long is reported, and the other modules still get the event.
/// - Each event, like the preparation, has two time limits: one for each module, and one for all modules together. When the limit for all
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
    private let preparation: Preparation
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
        var registrations: [String: ApiRegistrations] = [:]
        registration = LifecycleReport(
            phase: "register",
            entries: order.modules.map { module in
                let start = stopwatch.now()
                let outcome: LifecycleReport.Outcome
                do {
                    registrations[module.name] = try center.allOrNothing { try module.register(in: center) }
                    outcome = .succeeded
                } catch {
                    outcome = .failed(String(describing: error))
                }
                return .init(module: module.name, duration: stopwatch.now() - start, outcome: outcome)
            },
            warnings: Self.warnings)
        preparation = Preparation(registrations)
        self.center = center
        self.modules = order.modules
        absent = order.absent
        self.timeLimit = timeLimit
        self.eventLimit = eventLimit
        self.stopwatch = stopwatch
    }

    /// Lets every module prepare, and reports how each module did. Later calls return the same report.
    ///
    /// A module that fails or exceeds its time limit is left out of the app (see ``Module/prepare(in:)``). Its
    /// registrations are rolled back before the next module prepares. Cancelling the caller does not cancel the
    /// preparation, because the app needs its result.
    @discardableResult
    public func prepare() async -> LifecycleReport {
        await preparation.run { preparation in
            await Delivery.of(self) { await self.prepare(preparation) }
        }
    }

    /// Sends an event to every module, and reports how each module handled it. The modules prepare first, if they have
    /// not yet.
    ///
    /// Returns when every module has finished or has exceeded its time limit. If a module awaits this call in
    /// its `handle`, the call counts towards the module's time limit and is cancelled when the limit expires. An event
    /// that a module sends in its `prepare` reaches the modules that have prepared before it.
    /// Cancelling the sending task cancels the module that is handling the event; the remaining modules still
    /// get the event, in tasks that are already cancelled.
    @discardableResult
    public func send(_ event: LifecycleEvent) async -> LifecycleReport {
        if Delivery.isUnderWay(of: self) { return await deliver(event) }
        await prepare()
        return await queue.run {
            await Delivery.of(self) { await self.deliver(event) }
        }
    }

    private func prepare(_ preparation: Preparation) async -> LifecycleReport {
        let center = center
        var report = await run(
            "prepare", modules, isReady: { await preparation.hasRegistered($0.name) },
            work: { try await $0.prepare(in: center) },
            ended: { await preparation.ended($0.name, $1) })
        // A module may have loaded a library with a second copy since the registration.
        report.warnings = Self.warnings
        return report
    }

    private static var warnings: [String] { ApiCenter.linkedTwice.map { [$0] } ?? [] }

    private func deliver(_ event: LifecycleEvent) async -> LifecycleReport {
        let (center, preparation) = (center, preparation)
        let ordered = event == .terminate ? modules.reversed() : modules
        return await run(
            event.description, ordered, isReady: { await preparation.isReady($0.name) },
            work: { try await $0.handle(event, in: center) })
    }

    /// Runs one phase for the modules that are ready for it, one after the other.
    private func run(
        _ phase: String, _ modules: [any Module], isReady: (any Module) async -> Bool,
        work: @escaping @Sendable (any Module) async throws -> Void,
        ended: (any Module, LifecycleReport.Outcome) async -> Void = { _, _ in }
    ) async -> LifecycleReport {
        var entries: [LifecycleReport.Entry] = []
        let end = stopwatch.now() + eventLimit
        for module in modules {
            let start = stopwatch.now()
            let limit = min(timeLimit, end - start)
            var outcome = LifecycleReport.Outcome.skipped
            if limit > .zero, await isReady(module) {
                outcome = await finished(within: limit) { try await work(module) }
            }
            await ended(module, outcome)
            entries.append(.init(module: module.name, duration: stopwatch.now() - start, outcome: outcome))
        }
        return LifecycleReport(phase: phase, entries: entries)
    }

    /// Runs one module's work, and waits until it finishes or the time limit expires. Work that ignores the
    /// cancellation is left running.
    private func finished(
        within limit: Duration, _ work: @escaping @Sendable () async throws -> Void
    ) async -> LifecycleReport.Outcome {
        let (outcomes, first) = AsyncStream<LifecycleReport.Outcome>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        let work = Task {
            do {
                try await work()
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
