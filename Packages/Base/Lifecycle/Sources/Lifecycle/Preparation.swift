import ApiCenter

/// The preparation of a host's modules, which runs once, and the modules that are left out of the app.
actor Preparation {
    private var task: Task<LifecycleReport, Never>?
    private var leftOut: Set<String> = []
    /// What each module registered, in the order of the registration.
    nonisolated let registrations: [(module: String, made: ApiRegistrations)]

    init(_ registrations: [(module: String, made: ApiRegistrations)]) {
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

    /// Whether a module gets no events.
    func isLeftOut(_ module: String) -> Bool { leftOut.contains(module) }

    /// Removes a module's Apis, and sends it no further events.
    func leaveOut(_ module: String) {
        leftOut.insert(module)
        // The rollback of a module that replaced an Api restores the replaced IMP. So all modules that are left out are
        // rolled back again, the last one first: an IMP of an earlier one does not stay.
        for (module, made) in registrations.reversed() where leftOut.contains(module) { made.rollBack() }
    }
}
