extension LifecycleReport {
    /// One line of text for each module that failed in this phase.
    public var failureLines: [String] { failures.compactMap { $0.failure(in: phase) } }
}

extension LifecycleReport.Entry {
    /// One line of text about a failure in `phase`. Nil after a success, and for a module that was skipped.
    public func failure(in phase: String) -> String? {
        switch outcome {
        case .succeeded, .skipped: nil
        case .failed(let error): "\(module) failed at \(phase): \(error)"
        case .timedOut(let limit):
            "\(module) was still handling \(phase) after \(limit), and the app continued without waiting"
        }
    }
}
