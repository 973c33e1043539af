import Foundation
import Synchronization

/// The clock at the gates: the system's, and what a day has put it forward by, so that a code can expire without
/// anybody waiting for it.
final class GateClock: Sendable {
    /// For how many seconds a code is good.
    static let codeLifetime: TimeInterval = 60

    private let ahead = Mutex<TimeInterval>(0)

    var now: Date { Date() + ahead.withLock { $0 } }

    func advance(by seconds: TimeInterval) { ahead.withLock { $0 += seconds } }
}
