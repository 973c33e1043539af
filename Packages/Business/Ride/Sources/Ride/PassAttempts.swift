import Foundation
import Locking

/// The keys of attempts to pass a gate, for one Ride. Thread-safe.
///
/// If the Gate's answer is lost, the gate may have opened. The next attempt with the same code then has the same key,
/// so that the Gate answers again instead of refusing the code as used. The keys are in memory only: after a restart,
/// the Gate refuses the code, and the passenger shows a new one.
final class PassAttempts: Sendable {
    struct Attempt {
        let code: String
        let key: String
    }

    /// Each passenger's latest attempt with an unknown outcome.
    private let unknown = Locked<[String: Attempt]>([:])

    /// Returns the attempt with an unknown outcome, or a new one. Only one of several concurrent calls gets the former.
    func begin(code: String, of passenger: String) -> Attempt {
        unknown.withLock { unknown in
            if let attempt = unknown[passenger], attempt.code == code {
                unknown[passenger] = nil
                return attempt
            }
            return Attempt(code: code, key: UUID().uuidString)
        }
    }

    /// Keeps an attempt whose answer was lost.
    func lostAnswer(to attempt: Attempt, of passenger: String) {
        unknown.withLock { $0[passenger] = attempt }
    }
}
