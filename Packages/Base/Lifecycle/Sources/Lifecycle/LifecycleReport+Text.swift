extension LifecycleReport {
    /// The warnings, and a one-line description of each failure in this phase.
    public var failureLines: [String] { warnings + failures.compactMap { $0.failure(in: phase) } }
}

extension LifecycleReport.Entry {
    /// A one-line description of a failure in `phase`; nil if the module succeeded or was skipped.
    public func failure(in phase: String) -> String? {
        switch outcome {
        case .succeeded, .skipped: nil
        case .failed(let error): "\(module) failed at \(phase): \(error)"
        case .timedOut(let limit):
            "\(module) was still handling \(phase) after \(limit), and the app continued without waiting"
        }
    }
}
