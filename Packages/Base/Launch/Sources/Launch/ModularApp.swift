import ApiCenter
import Lifecycle
import Links

/// An app of modules: registers them, lets them prepare, installs their links, and passes events and links on to them.
///
/// ```swift
/// let app = try ModularApp(Registrations.modules)
/// app.post(.active)                    // delivered after `launch`
/// let report = await app.launch()
/// for line in report.failureLines { print(line) }
/// ```
///
/// - The initialiser registers the modules, and returns without waiting.
/// - The launch begins with the first call of ``launch()``, ``post(_:fileID:line:)``, ``send(_:fileID:line:)`` or
///   ``open(_:options:fileID:line:)``. The modules prepare; their links are installed; `beforeLaunch` runs; the modules
///   get the event `launch`.
/// - Events are delivered one at a time, in the order of the calls, and after `launch`.
/// - A link waits for the preparation, and for the delivery of an `active` that was posted before it. See
///   ``open(_:options:fileID:line:)``.
///
/// Thread-safe. The app lives as long as a reference to it.
public final class ModularApp: Sendable {
    /// The registry with the modules' Apis.
    public let center: ApiCenter
    /// The modules in the order in which they get events, including those that are left out.
    public var modules: [any Module] { host.modules }
    /// The names in `Module.after` that match no module of the app.
    public var absent: [ModuleHost.AbsentModule] { host.absent }
    let host: ModuleHost
    /// The modules in the order of the app's list.
    let listed: [any Module]
    let links: AppLinks?
    let beforeLaunch: (@Sendable (ApiCenter) async throws -> Void)?
    let state: AppState

    /// Registers modules.
    ///
    /// - Parameters:
    ///   - modules: The app's modules. If the links of two modules collide, the later one in this list is left out.
    ///   - center: The center in which the modules register. The app keeps it alive.
    ///   - links: The registry in which the modules' links are installed, and through which links are opened; nil for
    ///     an app without links.
    ///   - services: The services that follow the app's events.
    ///   - timeLimit: The longest time that a module may take to prepare, and to handle an event.
    ///   - eventLimit: The longest time that all modules together may take to handle an event.
    ///   - clock: The clock that measures the limits; tests pass their own clock.
    ///   - observers: Hear of each module's part in the registration, the preparation and the events. On Apple's
    ///     platforms, the default writes signposts and log lines (``SystemLog``).
    ///   - beforeLaunch: Runs when the modules have prepared and answer links, and before they get the event `launch`:
    ///     the place to pass on the app's settings, such as a server's URL. Events and links wait for this closure, which
    ///     has the time limit of a module. If it throws or exceeds its limit, the launch continues, and the report says
    ///     so. An event that it sends is only posted. If it waits for ``launch()``, for a link, or for the report of an
    ///     event, it waits until its limit expires.
    ///   - explain: Returns the text of an error that a module, one of its builders, or `beforeLaunch` has thrown, for the
    ///     reports: the place to add what the app's users can do about the error.
    /// - Throws: `LifecycleError` if two modules have the same name or the modules' `after` lists form a cycle. No module
    ///   is registered then.
    public init(
        _ modules: [any Module], center: ApiCenter = ApiCenter(), links: AppLinks? = nil,
        services: [EventService] = [], timeLimit: Duration = .seconds(10),
        eventLimit: Duration = .seconds(30),
        clock: some Clock<Duration> = ContinuousClock(), observers: [LifecycleObserver] = SystemLog.lifecycle,
        beforeLaunch: (@Sendable (ApiCenter) async throws -> Void)? = nil,
        explain: @escaping @Sendable (any Error) -> String = { String(describing: $0) }
    ) throws(LifecycleError) {
        let state = AppState()
        (listed, self.center, self.links, self.beforeLaunch, self.state) = (
            modules, center, links, beforeLaunch, state
        )
        host = try ModuleHost(
            modules, center: center, timeLimit: timeLimit, eventLimit: eventLimit, clock: clock,
            observers: observers, explain: explain
        ) { event, run, deliver in
            // The first event in the queue is `launch`, so all others wait for the end of the preparation too.
            if event == .launch { _ = await state.withLock { $0.start }?.ready.value }
            var failures = await services.tell(event, run: run, \.before)
            var report = await deliver()
            // The services stay active if the app has become active again.
            if !state.withLock({ $0.isActive }) {
                failures += await services.tell(event, run: run, \.after)
            }
            report.warnings += failures
            return report
        }
    }

    /// Launches the app, unless that has begun, and waits until the modules have handled the event `launch`.
    ///
    /// A module that waits for this call while it prepares, or handles `launch`, waits until its time limit expires.
    ///
    /// - Returns: How the modules registered, prepared, answered links and launched.
    @discardableResult
    public func launch() async -> LaunchReport {
        let start = state.withLock { begin(&$0) }
        var report = await start.ready.value
        report.launch = await start.event.report
        return report
    }

    /// Sends an event to the services and the modules: takes the next place in the queue of events before it returns,
    /// so events are delivered in the order in which a caller posts them. The event `openURL` also opens the link. The
    /// event `launch` is delivered once: this method returns the delivery with which the launch began.
    ///
    /// ```swift
    /// .onChange(of: scenePhase) { _, phase in
    ///     if let event = LifecycleEvent(phase) { app.post(event) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - fileID: The caller's file, for the observers of a link.
    ///   - line: The caller's line, for the observers of a link.
    /// - Returns: The delivery. Its report lists what each module did. The report's `warnings` contain the failures of
    ///   services, and the reason why a link was refused.
    @discardableResult
    public func post(
        _ event: LifecycleEvent, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Delivery {
        place(event, in: host.part, immediately: false, fileID, line)
    }

    /// Sends an event to the services and the modules, and waits for the report: ``post(_:fileID:line:)`` and the wait.
    ///
    /// Cancelling the task that waits cancels the module that is handling the event, and the link of an `openURL`. It does
    /// not cancel the event `launch`, for which others may be waiting.
    ///
    /// Two exceptions prevent a wait without an end. An event that a module sends while it handles another event is
    /// delivered immediately. An event that a module sends while it prepares, or that `beforeLaunch` sends, is only
    /// posted, and the report has no entries. (So is `launch`, which has begun, while a module handles an event.)
    ///
    /// - Important: `Task { await app.send(event) }` begins at an unspecified time. Two such tasks may send their events
    ///   in the reverse order. Where the caller cannot wait, use ``post(_:fileID:line:)``.
    @discardableResult
    public func send(
        _ event: LifecycleEvent, fileID: StaticString = #fileID, line: UInt = #line
    ) async -> LifecycleReport {
        let part = host.part
        let delivery = place(event, in: part, immediately: part == .delivery, fileID, line)
        if part == .preparation || (part == .delivery && event == .launch) {
            return LifecycleReport(phase: event.description, entries: [])
        }
        return await withTaskCancellationHandler {
            await delivery.report
        } onCancel: {
            if event != .launch { delivery.cancel() }
        }
    }

    /// Takes the event's place in the queue, and notes the event.
    ///
    /// - Parameters:
    ///   - part: The part to which the current task belongs.
    ///   - immediately: See `ModuleHost.post`.
    private func place(
        _ event: LifecycleEvent, in part: ModuleHost.Part?, immediately: Bool, _ fileID: StaticString,
        _ line: UInt
    ) -> Delivery {
        if case .openURL(let url) = event {
            let request = AppLinks.Request(url: url, options: [:], fileID: fileID, line: line)
            return open(request, in: part, immediately: immediately).whole
        }
        return state.withLock { state in
            let launch = begin(&state).event
            if event == .launch { return launch }
            state.note(event)
            let delivery = host.post(event, immediately: immediately)
            // An event that is delivered immediately does not end the wait for one that is in the queue.
            if event == .active, !immediately { state.activation = delivery }
            return delivery
        }
    }
}
