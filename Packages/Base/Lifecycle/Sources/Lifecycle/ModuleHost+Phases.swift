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
        let registrations = await preparation.registrations(of: module.name)
        let limit = registrations == nil ? nil : timeLimit
        let entry = await run("prepare", module.name, within: limit) { [center] in
            do throws(ApiError) { try await registrations?.buildOnce() } catch { throw error.origin }
            // A builder may have returned after the time limit.
            try Task.checkCancellation()
            try await module.prepare(in: center)
        }
        if entry.outcome == .succeeded {
            await preparation.succeeded(module.name)
        } else {
            await preparation.leaveOut(module.name)
        }
        return entry
    }

    /// Lets all modules that have prepared handle an event, one after the other.
    func deliverToModules(_ event: LifecycleEvent) async -> LifecycleReport {
        var report = LifecycleReport(phase: event.description, entries: [])
        let end = stopwatch.now() + eventLimit
        for module in event == .terminate ? modules.reversed() : modules {
            let limit = min(timeLimit, end - stopwatch.now())
            let isCalled = if limit > .zero { await preparation.isReady(module.name) } else { false }
            report.entries.append(
                await run(report.phase, module.name, within: isCalled ? limit : nil) { [center] in
                    try await module.handle(event, in: center)
                })
        }
        return report
    }

    /// Runs the part of a module, or of a step of the app, in a phase.
    ///
    /// - Parameter limit: The time limit; nil to skip the module.
    func run(
        _ phase: String, _ module: String, within limit: Duration?,
        work: @escaping @Sendable () async throws -> Void
    ) async -> LifecycleReport.Entry {
        let start = stopwatch.now()
        var outcome = LifecycleReport.Outcome.skipped
        if let limit {
            let ended = observers.map { $0(phase, module) }
            outcome = await finished(within: limit, on: Lane("\(module) \(phase)"), work)
            for end in ended { end(outcome) }
        }
        return .init(module: module, duration: stopwatch.now() - start, outcome: outcome)
    }

    /// Runs one module's work, and waits until it finishes or the time limit expires. Work that ignores the
    /// cancellation is left running.
    private func finished(
        within limit: Duration, on lane: Lane, _ work: @escaping @Sendable () async throws -> Void
    ) async -> LifecycleReport.Outcome {
        let (outcomes, first) = AsyncStream<LifecycleReport.Outcome>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        let work = Task(executorPreference: lane) { [explain] in
            do {
                try await work()
                first.yield(.succeeded)
            } catch {
                first.yield(.failed(explain(error)))
            }
        }
        let timer = Task(executorPreference: self.lane) { [stopwatch] in
            do { try await stopwatch.sleep(limit) } catch { return }
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
