import Synchronization

/// Lets events be delivered one at a time, in the order in which they took their tickets.
actor EventQueue {
    /// The number of tickets that have been taken; negative when the queue is closed.
    private let tickets = Atomic(0)
    private var current = 0
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

    /// Whether the queue gives tickets.
    nonisolated var isOpen: Bool { tickets.load(ordering: .acquiring) >= 0 }

    /// Takes the next place in the queue, in the caller's context. Negative if the queue is closed.
    nonisolated func takeTicket() -> Int {
        tickets.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    }

    /// Waits until all earlier events have been delivered. Cancellation does not end the wait.
    func turn(of ticket: Int) async {
        guard ticket > current else { return }
        await withCheckedContinuation { waiting[ticket] = $0 }
    }

    /// Ends the current turn. Each ticket must come to this call, or the later ones wait for ever.
    func endTurn() {
        current += 1
        waiting.removeValue(forKey: current)?.resume()
    }

    /// Closes the queue, and returns the ticket whose turn comes when all events in the queue have been delivered.
    @discardableResult
    nonisolated func close() -> Int { tickets.exchange(.min, ordering: .acquiringAndReleasing) }
}
