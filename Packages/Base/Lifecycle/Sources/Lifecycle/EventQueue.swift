import Synchronization

/// Lets events be delivered one at a time, in the order in which they took their tickets.
actor EventQueue {
    private let tickets = Atomic(0)
    private var current = 0
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

    /// Takes the next place in the queue, in the caller's context.
    nonisolated func takeTicket() -> Int {
        tickets.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// Waits until all earlier events have been delivered. Cancellation does not end the wait.
    func turn(of ticket: Int) async {
        guard ticket != current else { return }
        await withCheckedContinuation { waiting[ticket] = $0 }
    }

    /// Ends the current turn. Each ticket must come to this call, or the later ones wait for ever.
    func endTurn() {
        current += 1
        waiting.removeValue(forKey: current)?.resume()
    }
}
