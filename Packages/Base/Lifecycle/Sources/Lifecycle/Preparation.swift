import ApiCenter

/// The preparation of a host's modules, which runs once, and its result: the modules that are ready for events.
actor Preparation {
    private var task: Task<LifecycleReport, Never>?
    private var ready: Set<String> = []
    private var leftOut: Set<String> = []
    /// What each module registered, in the order of the registration.
    private let registrations: [(module: String, made: ApiRegistrations)]

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

    /// What the module registered; nil if that failed.
    func registrations(of module: String) -> ApiRegistrations? {
        registrations.first { $0.module == module }?.made
    }

    /// Whether the module has prepared.
    func isReady(_ module: String) -> Bool { ready.contains(module) }

    /// Notes that a module has prepared.
    func succeeded(_ module: String) {
        if !leftOut.contains(module) { ready.insert(module) }
    }

    /// Removes a module's Apis, and sends it no further events.
    func leaveOut(_ module: String) {
        ready.remove(module)
        leftOut.insert(module)
        // The rollback of a module that replaced an Api restores the replaced IMP. So all modules that are left out are
        // rolled back again, the last one first: an IMP of an earlier one does not stay.
        for (module, made) in registrations.reversed() where leftOut.contains(module) { made.rollBack() }
    }
}
