import Foundation
import Synchronization

/// The clock of the operator's server: the system time plus an adjustable offset, so that the day need not wait for
/// a token to expire.
///
/// Thread-safe.
final class ServerClock: Sendable {
    private let ahead = Mutex<TimeInterval>(0)

    var now: Date { Date() + ahead.withLock { $0 } }

    func advance(by seconds: TimeInterval) { ahead.withLock { $0 += seconds } }
}
