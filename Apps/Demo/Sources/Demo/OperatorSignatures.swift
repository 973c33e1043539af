import Digests
import Foundation
import Loopback
import Synchronization

/// Checks the signatures of the requests that the operator's server receives.
///
/// A signature covers the method, the host, the path, the query, the time, a number and the body. It is valid for a few
/// minutes, and only once, so that nobody can send a recorded request again.
///
/// Thread-safe.
final class OperatorSignatures: Sendable {
    /// The number of seconds by which a request's time may differ from the server's.
    static let tolerance: TimeInterval = 300

    private let key: Data
    private let now: @Sendable () -> Date
    /// The times of the accepted requests, by their numbers. A request that is too old is refused because of its time, so its
    /// number can be forgotten.
    private let used = Mutex<[String: Date]>([:])

    init(key: Data, now: @escaping @Sendable () -> Date = { Date() }) { (self.key, self.now) = (key, now) }

    /// Whether a request carries a valid signature that no earlier request has carried.
    func accept(_ request: LoopbackServer.Request) -> Bool {
        guard let host = request.fields["host"]?.lowercased(), let number = request.fields["x-number"],
            let seconds = request.fields["x-time"].flatMap({ Int($0) })
        else { return false }
        let (time, now) = (Date(timeIntervalSince1970: TimeInterval(seconds)), now())
        let start = "\(request.method)\n\(host)\n\(request.target)\n\(seconds)\n\(number)\n"
        let signature = Digest.hmacSHA256(Data(start.utf8) + request.body, key: key)
        guard Digest.areEqual(request.fields["x-signature"] ?? "", signature),
            abs(time.timeIntervalSince(now)) <= Self.tolerance
        else { return false }
        return used.withLock { used in
            used = used.filter { now.timeIntervalSince($0.value) <= Self.tolerance }
            return used.updateValue(time, forKey: number) == nil
        }
    }
}
