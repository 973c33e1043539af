import ApiCenter

/// Registers an app's modules and passes the app's events to them.
///
/// ```swift
/// let host = try ModuleHost([ModuleAModule(), ModuleBModule()], center: .shared)
/// host.post(.launch)
/// ```
///
/// - There are three phases. The initialiser registers every module. Then the modules prepare, once: in ``prepare()``,
///   or before the first event if the app does not call that method itself. Then the modules get the app's events.
/// - The modules prepare at the same time, except that each module waits for the modules that it names in
///   ``Module/after``. They get an event one at a time, in the listed order, except that each module comes after the
///   modules in its `after`. They get ``LifecycleEvent/terminate`` in reverse order.
/// - A module that fails or takes too long is reported, and the other modules are not affected.
/// - Each module has a time limit for its preparation and for each event. An event has a second limit, for all modules
///   together: when it has expired, the remaining modules are not called, and the report lists them as skipped.
/// - Events are delivered one at a time, in the order of the calls of ``post(_:immediately:)`` and ``send(_:)``.
///
/// Each module prepares and handles events on a thread outside the pool that Swift shares among all tasks, so a module
/// that blocks its thread holds up neither the other modules nor a time limit. The child tasks of a module (`async let`,
/// task groups) share its thread, so they run one at a time, and a child task that blocks the thread stops the others. To
/// run at the same time, they do their work in `withTaskExecutorPreference(globalConcurrentExecutor)`, or in a `Task`.
///
/// All operations are thread-safe.
public final class ModuleHost: Sendable {
    /// A name in a module's ``Module/after`` that matches no module of the app, because the named module was
    /// left out or the name is misspelt.
    public struct AbsentModule: Sendable, Hashable {
        /// The unmatched name.
        public let name: String
        /// The module whose ``Module/after`` contains the name.
        public let namedBy: String
    }

    /// A part of the app's life in which the host runs modules and steps of the app.
    public enum Part: Sendable {
        /// The preparation, and the app's steps before the first event.
        case preparation
        /// The delivery of an event.
        case delivery
    }

    /// Runs a step of the app within the time limit of a module, on a thread of its own, and returns how it ended. The
    /// observers hear of the step. The step's task is cancelled when the limit expires.
    public typealias Step =
        @Sendable (_ name: String, _ work: @escaping @Sendable () async throws -> Void) async ->
        LifecycleReport.Entry

    /// Delivers an event to the modules by calling `deliver`, and does something else before or after that.
    ///
    /// - Parameters:
    ///   - event: The event, whose turn has come.
    ///   - run: Runs a step that belongs to the event, such as a service's part. An event that a step sends is delivered
    ///     immediately, as a module's is. The wrapper must not ``send(_:)`` events outside of such a step: it would wait
    ///     for the end of the event that it delivers.
    ///   - deliver: Lets all modules handle the event. Call it once.
    /// - Returns: The report for the event's sender.
    public typealias EventWrapper =
        @Sendable (_ event: LifecycleEvent, _ run: Step, _ deliver: () async -> LifecycleReport) async ->
        LifecycleReport

    /// The modules in the order they get events.
    public let modules: [any Module]

    /// The report on the registration of the modules.
    public let registration: LifecycleReport

    /// The names in ``Module/after`` that match no module of the app.
    public let absent: [AbsentModule]

    let center: ApiCenter
    let preparation: Preparation
    let timeLimit: Duration
    let eventLimit: Duration
    let stopwatch: Stopwatch
    let observers: [LifecycleObserver]
    let explain: @Sendable (any Error) -> String
    private let wrapper: EventWrapper
    private let events = EventQueue()
    /// Runs the host's own code, which must not wait for a thread of the shared pool.
    let lane = Lane("ModuleHost")

    /// Registers `modules` in `center`, in the order in which they get events.
    ///
    /// - Parameters:
    ///   - modules: The app's modules. Their names must differ.
    ///   - center: The center in which the modules register. The host keeps it alive.
    ///   - timeLimit: The longest time that a module may take to prepare, and to handle an event. The time for the
    ///     preparation starts when the modules in ``Module/after`` have prepared.
    ///   - eventLimit: The longest time that all modules together may take to handle an event.
    ///   - clock: The clock that measures the limits; tests pass their own clock.
    ///   - observers: Hear when a module begins to register, to prepare and to handle an event, and when it ends.
    ///   - explain: Returns the text of an error that a module, or one of its builders, has thrown, for the reports.
    ///   - wrapper: Is called with each event when its turn has come, and delivers it.
    /// - Throws: ``LifecycleError`` if two modules have the same name or the `after` lists form a cycle. In
    ///   both cases the host registers no module.
    public init(
        _ modules: [any Module], center: ApiCenter,
        timeLimit: Duration = .seconds(10), eventLimit: Duration = .seconds(30),
        clock: some Clock<Duration> = ContinuousClock(), observers: [LifecycleObserver] = [],
        explain: @escaping @Sendable (any Error) -> String = { String(describing: $0) },
        wrapper: @escaping EventWrapper = { _, _, deliver in await deliver() }
    ) throws(LifecycleError) {
        let order = try ModuleOrder(modules)
        let stopwatch = Stopwatch(clock)
        var registrations: [(module: String, made: ApiRegistrations)] = []
        registration = LifecycleReport(
            phase: "register",
            entries: order.modules.map { module in
                let (start, ended) = (stopwatch.now(), observers.map { $0("register", module.name) })
                let outcome: LifecycleReport.Outcome
                do {
                    let made = try center.allOrNothing { try module.register(in: center) }
                    registrations.append((module.name, made))
                    outcome = .succeeded
                } catch {
                    outcome = .failed(explain(error))
                }
                for end in ended { end(outcome) }
                return .init(module: module.name, duration: stopwatch.now() - start, outcome: outcome)
            },
            warnings: Self.warnings)
        preparation = Preparation(registrations)
        (self.center, self.modules, absent) = (center, order.modules, order.absent)
        (self.timeLimit, self.eventLimit, self.stopwatch) = (timeLimit, eventLimit, stopwatch)
        (self.observers, self.explain, self.wrapper) = (observers, explain, wrapper)
    }

    /// The part of the app's life in which this host runs a module, or a step of the app, to which the current task
    /// belongs. Nil in any other task, and in a task that has outlived the module's part.
    public var part: Part? { HostWork.underWay(of: self)?.part }

    /// Runs a step of the app that belongs to the preparation, such as the app's own part between ``prepare()`` and the
    /// first event: within the time limit of a module, on a thread of its own. The observers hear of the step. An event
    /// that it sends is only posted.
    ///
    /// - Parameters:
    ///   - step: The name of the step in the report.
    ///   - phase: The phase to which the step belongs.
    ///   - work: The step. Its task is cancelled when the time limit expires.
    /// - Returns: How the step ended.
    public func run(
        _ step: String, in phase: String, _ work: @escaping @Sendable () async throws -> Void
    ) async -> LifecycleReport.Entry {
        await run(.preparation, phase, step, work: work)
    }

    /// Lets every module prepare, and reports how each module did. Later calls return the same report.
    ///
    /// A module that fails or exceeds its time limit is left out of the app (see ``Module/prepare(in:)``). Its
    /// registrations are rolled back at once: the modules that name it in ``Module/after`` prepare afterwards. If it
    /// replaced the IMP of another module that is left out, the Api has no IMP. Cancelling the caller does not cancel the
    /// preparation, because the app needs its result.
    @discardableResult
    public func prepare() async -> LifecycleReport {
        await preparation.run(on: lane) { await self.prepareModules() }
    }

    /// Leaves a module out of the app, for example because its links collide with those of another module: rolls its
    /// registrations back, and sends it no further events. Has no effect on a module that is already left out.
    ///
    /// Call this after ``prepare()`` and before the first event. Callers that looked the module's Api up before keep
    /// the IMP.
    ///
    /// - Parameter module: The module's name.
    public func leaveOut(_ module: String) async {
        await preparation.leaveOut(module)
    }

    /// Sends an event to every module: takes the next place in the queue of events before it returns, so events are
    /// delivered in the order in which a caller posts them. The modules prepare first, if they have not yet.
    ///
    /// Events that a module posts while it prepares or handles an event are queued too. A module that waits for
    /// ``Delivery/report`` there waits until its time limit expires; it calls ``send(_:)`` instead.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - immediately: Whether the event is delivered immediately if a module that is handling another event posts it,
    ///     as ``send(_:)`` describes.
    /// - Returns: The delivery, whose report can be awaited, and which can be cancelled.
    @discardableResult
    public func post(_ event: LifecycleEvent, immediately: Bool = false) -> Delivery {
        let work = immediately ? HostWork.underWay(of: self) : nil
        return post(event, in: work?.part == .delivery ? work : nil)
    }

    /// Sends an event to every module, and reports how each module handled it: ``post(_:immediately:)`` and a wait for the report.
    ///
    /// Two exceptions keep a module from waiting for itself. While a module handles an event, the events that the module
    /// or its tasks send are delivered immediately, one at a time, and the next module gets the first event afterwards.
    /// They count towards the module's time limit: when this limit expires, their deliveries end too, and the remaining
    /// modules do not get them. While a module prepares, an event is only posted, and the report has no entries.
    ///
    /// Cancelling the sending task cancels the module that is handling the event; the remaining modules still
    /// get the event, in tasks that are already cancelled.
    ///
    /// - Important: `Task { await host.send(event) }` begins at an unspecified time. Two such tasks may send their events
    ///   in the reverse order. Use ``post(_:immediately:)`` where the caller cannot wait.
    @discardableResult
    public func send(_ event: LifecycleEvent) async -> LifecycleReport {
        let (part, delivery) = (part, post(event, immediately: true))
        if part == .preparation { return LifecycleReport(phase: event.description, entries: []) }
        return await withTaskCancellationHandler {
            await delivery.report
        } onCancel: {
            delivery.cancel()
        }
    }

    /// Adds an event to the queue of a module's work; without such work, or if it has ended, to the host's.
    private func post(_ event: LifecycleEvent, in work: HostWork?) -> Delivery {
        let queue = work?.events ?? events
        let ticket = queue.takeTicket()
        // The host's queue is never closed.
        if ticket < 0 { return post(event, in: nil) }
        return Delivery(
            Task(executorPreference: lane) {
                await self.prepare()
                await queue.turn(of: ticket)
                let report = await self.deliver(event, before: work?.end)
                await queue.endTurn()
                return report
            })
    }

    private func deliver(_ event: LifecycleEvent, before end: Duration?) async -> LifecycleReport {
        await wrapper(
            event,
            { await self.run(.delivery, event.description, $0, before: end, work: $1) },
            { await deliverToModules(event, before: end) })
    }

    static var warnings: [String] { ApiCenter.linkedTwice.map { [$0] } ?? [] }
}
