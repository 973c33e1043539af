import ErrorCode
import Foundation
import GateApi
import Locking
import RideApi
import UserApi

/// Ride's calls to the Gate. Thread-safe.
///
/// Notifications are delivered synchronously, but the Gate may be on another machine. So a notification that ends codes
/// only queues an update for each passenger, and every call waits until the Gate has confirmed all queued updates. A
/// failed update stays in the queue.
final class GateQueue: Sendable {
    private struct Update {
        /// Whether the Gate must expire the passenger's code instead of replacing it.
        let expires: Bool
        /// Distinguishes the update from a later one for the same passenger.
        let number: Int
    }

    private struct State {
        /// The passengers whose codes the app may be showing.
        var passengers: Set<String> = []
        var updates: [String: Update] = [:]
        var count = 0
        /// The number of sessions that have ended.
        var ended = 0
        /// The running task that sends the updates until none is left or one fails.
        var sender: Task<RideApiError?, Never>?
    }

    private let gate: @Sendable () -> (any GateApiProtocol)?
    private let log: @Sendable (String) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - gate: Returns the Gate; nil when the app has none.
    ///   - log: Logs why a call failed, which passengers do not see.
    init(gate: @escaping @Sendable () -> (any GateApiProtocol)?, log: @escaping @Sendable (String) -> Void) {
        (self.gate, self.log) = (gate, log)
    }

    /// Observes notifications until the returned object is deallocated: ``RideNotification/refreshCode`` replaces all
    /// codes that the app may be showing, and `UserNotification.sessionEnded` expires them.
    func listen(to notifications: NotificationCenter) -> Listening {
        Listening(
            to: notifications,
            [
                RideNotification.refreshCode: { self.update(expires: false) },
                UserNotification.sessionEnded: { self.update(expires: true) },
            ])
    }

    /// Records that the app may be showing a code of this passenger. Call this method before requesting the code from
    /// the Gate, so that every later notification affects the code.
    ///
    /// - Returns: ``endedSessions`` at this moment.
    func shows(codeOf passenger: String) -> Int {
        state.withLock { state in
            state.passengers.insert(passenger)
            return state.ended
        }
    }

    /// The number of sessions that have ended so far. If it changes while a code is requested, the code may have ended.
    var endedSessions: Int { state.withLock { $0.ended } }

    /// Expires the code of a passenger whose session has ended.
    func expireCode(of passenger: String) {
        update(expires: true, [passenger])
    }

    /// Calls the Gate after it has confirmed all updates.
    func ask<Answer: Sendable>(
        _ call: @Sendable (any GateApiProtocol) async throws(GateApiError) -> Answer
    ) async throws(RideApiError) -> Answer {
        if let error = await settle() { throw error }
        return try await callGate(call)
    }

    /// Waits until the Gate has confirmed all updates, and returns the error of an update that failed.
    func settle() async -> RideApiError? {
        await state.withLock { startSending(&$0) }?.value
    }

    /// - Parameter passengers: The passengers whose codes are to end; nil for all passengers whose codes the app may be
    ///   showing.
    private func update(expires: Bool, _ passengers: Set<String>? = nil) {
        state.withLock { state in
            for passenger in passengers ?? state.passengers {
                state.count += 1
                // A queued expiry does not become a replacement, as a passenger who has logged out needs no new code.
                let expires = expires || state.updates[passenger]?.expires == true
                state.updates[passenger] = Update(expires: expires, number: state.count)
            }
            if expires && passengers == nil { (state.passengers, state.ended) = ([], state.ended + 1) }
            _ = startSending(&state)
        }
    }

    private func startSending(_ state: inout State) -> Task<RideApiError?, Never>? {
        if state.updates.isEmpty { return nil }
        let sender = state.sender ?? Task { await self.send() }
        state.sender = sender
        return sender
    }

    private func send() async -> RideApiError? {
        while let (passenger, update) = next() {
            do throws(RideApiError) {
                try await callGate { gate throws(GateApiError) in
                    if update.expires {
                        try await gate.expireCode(of: passenger)
                    } else {
                        _ = try await gate.newCode(for: passenger)
                    }
                }
            } catch {
                state.withLock { $0.sender = nil }
                return error
            }
            state.withLock { state in
                if state.updates[passenger]?.number == update.number { state.updates[passenger] = nil }
            }
        }
        return nil
    }

    /// Returns an update to send. If no update is queued, clears the sender and returns nil.
    private func next() -> (passenger: String, update: Update)? {
        state.withLock { state in
            guard let next = state.updates.first else {
                state.sender = nil
                return nil
            }
            return (next.key, next.value)
        }
    }

    private func callGate<Answer: Sendable>(
        _ call: @Sendable (any GateApiProtocol) async throws(GateApiError) -> Answer
    ) async throws(RideApiError) -> Answer {
        guard let gate = gate() else {
            throw .unreachable("No gate answers: this app has no module named Gate.")
        }
        do {
            return try await call(gate)
        } catch {
            switch error {
            case .codeUnknown: throw .codeRefused(.unknown)
            case .codeExpired: throw .codeRefused(.expired)
            case .codeUsed: throw .codeRefused(.used)
            case .codeReplaced: throw .codeRefused(.replaced)
            case .codeOfAnother: throw .notLoggedIn
            case .notSaved(let why):
                log("The Gate could not save a code or a passage: \(why)")
                throw .unreachable(ErrorCode.gateUnreachable.message)
            case .unreachable(let why):
                log("The Gate cannot be reached: \(why)")
                throw .unreachable(ErrorCode.gateUnreachable.message)
            }
        }
    }
}
