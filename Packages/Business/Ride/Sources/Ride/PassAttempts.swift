import Foundation
import Locking

/// The keys of Ride's attempts to pass a gate. Thread-safe.
///
/// If the Gate's answer is lost, the gate may have opened. The next attempt with the same code then reuses the key, so
/// that the Gate repeats its answer instead of refusing the code as used. The keys are in memory only: after a restart,
/// the Gate refuses the code, and the passenger shows a new one.
final class PassAttempts: Sendable {
    struct Attempt {
        let code: String
        let key: String
    }

    /// Each passenger's latest attempt with an unknown outcome.
    private let unknown = Locked<[String: Attempt]>([:])

    /// Returns the passenger's last attempt with this code if its outcome is unknown, otherwise a new attempt. Of
    /// several concurrent calls, only one gets the last attempt.
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
