import ApiCenter

/// Registers an app's modules and passes the app's events to them.
///
/// ```swift
/// let host = try ModuleHost([ModuleAModule(), ModuleBModule()], center: .shared)
/// await host.send(.launch)
/// ```
///
/// - Two phases: the initialiser registers every module; only then can an event be sent.
/// - An event goes to one module after the other, as they are listed, except that each comes after those it
///   names in ``Module/after``. ``LifecycleEvent/terminate`` goes in reverse.
/// - A module that fails or takes too long is reported and does not keep the others from theirs.
/// - A module has a limited time for an event, and so have all of them together: those whose turn comes after
///   that are not called, and the report says so.
/// - Events go out one at a time: one that is sent while another is under way waits for it. One that a
///   module, or a task that it started, sends while that module's event is under way goes out at once, or it
///   would wait for itself. A module that waits for it does so in its own time.
///
/// All operations are safe from every thread.
public final class ModuleHost: Sendable {
    /// A name in a module's ``Module/after`` that no module of the app has: it was left out, or misspelt.
    public struct AbsentModule: Sendable, Hashable {
        /// The name that is not there.
        public let name: String
        /// The module that comes after it.
        public let namedBy: String
    }

    /// The modules in the order in which they get events.
    public let modules: [any Module]

    /// How registering went.
    public let registration: LifecycleReport

    /// The names in ``Module/after`` that no module of the app has.
    public let absent: [AbsentModule]

    private let center: ApiCenter
    private let failed: Set<String>
    private let timeLimit: Duration
    private let eventLimit: Duration
    private let stopwatch: Stopwatch
    private let queue = EventQueue()

    /// Registers `modules` in `center`, in the order of their events.
    ///
    /// - Parameters:
    ///   - modules: The app's modules. Their names must differ.
    ///   - center: Where they register. The host keeps it.
    ///   - timeLimit: How long a module may take over one event.
    ///   - eventLimit: How long all modules together may take over one event.
    ///   - clock: What measures time; a test gives one of its own.
    /// - Throws: ``LifecycleError`` when two names are the same or modules come after each other in a
    ///   circle. Then nothing has been registered.
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

    /// Sends an event to every module, and reports how each took it.
    ///
    /// Returns when all are done, or over the time limits. Awaited in a module's `handle` it takes of that
    /// module's time, and is cancelled when that is over. When the sending task is cancelled, so is the
    /// module that is at work; the rest get the event all the same, in tasks that are cancelled already.
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

    /// Runs the module's part until it is done or the time limit is over, whichever is first. A module that
    /// does not heed its cancellation is left behind.
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
            // Read in a task of its own, so that a cancelled sender still learns the outcome.
            await Task { await outcomes.first { _ in true } ?? .timedOut(limit) }.value
        } onCancel: {
            work.cancel()
        }
    }
}
