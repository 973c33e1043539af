import ApiCenter

extension ModuleHost {
    /// Prepares all modules at the same time, each after those in its `after`.
    func prepareModules() async -> LifecycleReport {
        var preparing: [String: Task<LifecycleReport.Entry, Never>] = [:]
        for module in modules {
            // The order of `modules` puts them first.
            let earlier = module.after.compactMap { preparing[$0] }
            preparing[module.name] = Task(executorPreference: lane) {
                for task in earlier { _ = await task.value }
                return await self.prepare(module)
            }
        }
        var report = LifecycleReport(phase: "prepare", entries: [])
        for module in modules {
            if let entry = await preparing[module.name]?.value { report.entries.append(entry) }
        }
        // A module may have loaded a library with a second copy since the registration.
        report.warnings = Self.warnings
        return report
    }

    private func prepare(_ module: any Module) async -> LifecycleReport.Entry {
        let registrations = preparation.registrations.first { $0.module == module.name }?.made
        let entry = await run(.preparation, "prepare", module.name, isCalled: registrations != nil) {
            [center] in
            do throws(ApiError) { try await registrations?.buildOnce() } catch { throw error.origin }
            // A builder may have returned after the time limit.
            try Task.checkCancellation()
            try await module.prepare(in: center)
        }
        if entry.outcome != .succeeded { await preparation.leaveOut(module.name) }
        return entry
    }

    /// Lets all modules that are not left out handle an event, one after the other.
    ///
    /// - Parameter end: When the part of the event's sender is out of time; nil for an event of the host's queue.
    func deliverToModules(_ event: LifecycleEvent, before end: Duration?) async -> LifecycleReport {
        var report = LifecycleReport(phase: event.description, entries: [])
        let eventEnd = stopwatch.now() + eventLimit
        for module in event == .terminate ? modules.reversed() : modules {
            let isCalled = await !preparation.isLeftOut(module.name)
            report.entries.append(
                await run(
                    .delivery, report.phase, module.name, before: min(end ?? eventEnd, eventEnd),
                    isCalled: isCalled
                ) { [center] in
                    try await module.handle(event, in: center)
                })
        }
        return report
    }

    /// Runs the part of a module, or a step of the app, in a phase.
    ///
    /// - Parameters:
    ///   - end: When all parts of the phase are out of time; nil if this part only has its own limit. Afterwards, the
    ///     part is skipped.
    ///   - isCalled: Whether the part is not skipped anyway.
    func run(
        _ part: Part, _ phase: String, _ name: String, before end: Duration? = nil,
        isCalled: Bool = true, work: @escaping @Sendable () async throws -> Void
    ) async -> LifecycleReport.Entry {
        let start = stopwatch.now()
        let limit = min(timeLimit, (end ?? start + timeLimit) - start)
        var outcome = LifecycleReport.Outcome.skipped
        if isCalled, limit > .zero {
            let ended = observers.map { $0(phase, name) }
            outcome = await finished(
                HostWork(part, of: self, until: start + limit), within: limit, on: Lane("\(name) \(phase)"),
                work)
            for end in ended { end(outcome) }
        }
        return .init(module: name, duration: stopwatch.now() - start, outcome: outcome)
    }

    /// Runs a part, and waits until it finishes or the time limit expires. Work that ignores the cancellation is left
    /// running.
    private func finished(
        _ part: HostWork, within limit: Duration, on lane: Lane,
        _ work: @escaping @Sendable () async throws -> Void
    ) async -> LifecycleReport.Outcome {
        let (outcomes, first) = AsyncStream<LifecycleReport.Outcome>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        let work = Task(executorPreference: lane) { [explain] in
            first.yield(
                await part.run { () -> LifecycleReport.Outcome in
                    do { try await work() } catch { return .failed(explain(error)) }
                    return .succeeded
                })
        }
        let timer = Task(executorPreference: self.lane) { [stopwatch] in
            do { try await stopwatch.sleep(limit) } catch { return }
            part.events.close()
            first.yield(.timedOut(limit))
            work.cancel()
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            // The outcome is read in a separate task, so that a cancelled sender still gets it.
            await Task(executorPreference: self.lane) {
                await outcomes.first { _ in true } ?? .timedOut(limit)
            }.value
        } onCancel: {
            work.cancel()
        }
    }
}

extension ApiError {
    /// The error of the first builder that failed, of several that request each other. A report names the module, so its
    /// reader need not know the Apis.
    fileprivate var origin: any Error { (cause as? ApiError)?.origin ?? cause ?? self }
}
