import Locking

/// Records what happens to one request.
package final class Journal: Sendable {
    private let steps = Locked<[APIExplanation.Step]>([])
    /// Returns the time since the start of the request.
    package let elapsed: @Sendable () -> Duration

    package init(clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    package func note(_ stage: APIStage, _ note: String = "") {
        let step = APIExplanation.Step(stage: stage, time: elapsed(), note: note)
        steps.withLock { steps in
            // Most requests have at most sixteen steps.
            if steps.isEmpty { steps.reserveCapacity(16) }
            steps.append(step)
        }
    }

    package var explanation: APIExplanation { APIExplanation(steps: steps.withLock { $0 }) }
}
