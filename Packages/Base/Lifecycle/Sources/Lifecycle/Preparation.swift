import ApiCenter

/// The preparation of a host's modules, which runs once, and its result: the modules that are ready for events.
actor Preparation {
    private var task: Task<LifecycleReport, Never>?
    private var ready: Set<String> = []
    /// What each module registered, unless it has been rolled back.
    private var registrations: [String: ApiRegistrations]

    init(_ registrations: [String: ApiRegistrations]) {
        self.registrations = registrations
    }

    /// Runs `work` if no call has done so before, and waits for its report.
    func run(
        on lane: Lane, _ work: @escaping @Sendable () async -> LifecycleReport
    ) async -> LifecycleReport {
        let task = task ?? Task(executorPreference: lane) { await work() }
        self.task = task
        return await task.value
    }

    /// Whether the module has registered.
    func hasRegistered(_ module: String) -> Bool { registrations[module] != nil }

    /// Whether the module has prepared.
    func isReady(_ module: String) -> Bool { ready.contains(module) }

    /// Notes that a module has prepared.
    func succeeded(_ module: String) { ready.insert(module) }

    /// Removes the Apis of those of the modules that have not prepared, in this order.
    func rollBackFailed(_ modules: [any Module]) {
        for module in modules where !isReady(module.name) { leaveOut(module.name) }
    }

    /// Removes a module's Apis, and sends it no further events.
    func leaveOut(_ module: String) {
        ready.remove(module)
        registrations.removeValue(forKey: module)?.rollBack()
    }
}
