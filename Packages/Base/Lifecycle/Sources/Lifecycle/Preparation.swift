import ApiCenter

/// The preparation of a host's modules, which runs once, and its result: the modules that are ready for events.
actor Preparation {
    private var task: Task<LifecycleReport, Never>?
    private var ready: Set<String> = []
    /// What each module registered, until it has prepared.
    private var registrations: [String: ApiRegistrations]

    init(_ registrations: [String: ApiRegistrations]) {
        self.registrations = registrations
    }

    /// Runs `work` if no call has done so before, and waits for its report.
    func run(_ work: @escaping @Sendable (Preparation) async -> LifecycleReport) async -> LifecycleReport {
        let task = task ?? Task { await work(self) }
        self.task = task
        return await task.value
    }

    /// Whether the module has registered.
    func hasRegistered(_ module: String) -> Bool { registrations[module] != nil }

    /// Whether the module has prepared.
    func isReady(_ module: String) -> Bool { ready.contains(module) }

    /// Notes how a module's preparation ended, and removes the Apis of a module that is not ready.
    func ended(_ module: String, _ outcome: LifecycleReport.Outcome) {
        let registrations = registrations.removeValue(forKey: module)
        if outcome == .succeeded {
            ready.insert(module)
        } else {
            registrations?.rollBack()
        }
    }
}
