import Foundation
import Locking

/// Issues ride codes and decides whether a code opens a gate.
///
/// ```swift
/// let issuer = RideCodeIssuer()
/// let code = issuer.issue(for: passenger)      // on the phone
/// let passenger = try issuer.redeem(code.text) // at the gate
/// ```
///
/// A code is valid for one passenger, one passage and a short time. Codes are random and the issuer verifies
/// them by looking them up, so no signing key is needed.
///
/// For a day after a code's expiry, the issuer remembers why the code is no longer valid, so that a gate can
/// give the reason. After that day the code is unknown. Memory is bounded: one valid code per passenger, and
/// `limit` finished codes.
///
/// All methods are thread-safe.
public final class RideCodeIssuer: Sendable {
    private struct Entry {
        let passenger: String
        let expires: Date
        /// Why the code is no longer valid; nil until a gate, a newer code or ``RideCodeIssuer/expire(for:)``
        /// invalidates it.
        var end: RideCodeError?

        func isLive(_ now: Date) -> Bool { end == nil && now < expires }
        func isForgotten(_ now: Date) -> Bool { now >= expires + RideCodeIssuer.memory }
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The text of each passenger's newest code.
        var newest: [String: String] = [:]
        /// The number of entries above which old entries are removed.
        var sweepAt: Int
    }

    /// How long an entry is kept after its code has expired, in seconds.
    private static let memory: TimeInterval = 86_400

    private let state: Locked<State>
    private let lifetime: TimeInterval
    private let limit: Int
    private let now: @Sendable () -> Date

    /// Creates an issuer.
    ///
    /// - Parameters:
    ///   - lifetime: The validity of a code in seconds. With 0 or less, codes are never valid.
    ///   - limit: The maximum number of finished codes (used, replaced, expired) to remember, 2 or more. When the
    ///     limit is exceeded, the issuer keeps at least half of this number: the codes that expire last. The issuer
    ///     never forgets a valid code.
    ///   - now: The clock that determines when codes expire.
    public init(
        lifetime: TimeInterval = 60, limit: Int = 100_000, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        precondition(
            limit >= 2, "RideCodeIssuer: the limit of finished codes is \(limit), but must be 2 or more.")
        (self.lifetime, self.limit, self.now) = (lifetime, limit, now)
        state = Locked(State(sweepAt: limit))
    }

    /// Issues a code for a passenger, and invalidates the passenger's previous code.
    ///
    /// Complexity: constant on average.
    public func issue(for passenger: String) -> RideCode {
        let now = now()
        let code = RideCode(text: RideCode.randomText(), expires: now + lifetime)
        state.withLock { state in
            if let former = state.newest.updateValue(code.text, forKey: passenger),
                state.entries[former]?.isLive(now) == true
            {
                state.entries[former]?.end = .replaced
            }
            state.entries[code.text] = Entry(passenger: passenger, expires: code.expires)
            if state.entries.count > state.sweepAt { sweep(&state, now) }
        }
        return code
    }

    /// Expires a passenger's current code early, for example when the passenger logs out. Redeeming the
    /// code then throws ``RideCodeError/expired``. Does nothing when the code is no longer valid.
    public func expire(for passenger: String) {
        let now = now()
        state.withLock { state in
            guard let text = state.newest[passenger], state.entries[text]?.isLive(now) == true else { return }
            state.entries[text]?.end = .expired
        }
    }

    /// Returns the passenger to whom a code was issued, whether or not the code is still valid; nil when
    /// the code is unknown. Does not change the code.
    ///
    /// - Parameter text: The scanned or typed text, as for ``redeem(_:)``.
    public func passenger(of text: String) -> String? {
        let now = now(), text = Self.canonical(text)
        return state.withLock { state in
            state.entries[text].flatMap { $0.isForgotten(now) ? nil : $0.passenger }
        }
    }

    /// Returns whether the code is valid now. Does not change the code.
    public func accepts(_ code: RideCode) -> Bool {
        let now = now()
        return state.withLock { $0.entries[code.text]?.isLive(now) == true }
    }

    /// Redeems a code and returns its passenger. A code can be redeemed once, even if many gates try at the
    /// same time.
    ///
    /// - Parameter text: The scanned or typed text. Surrounding white space and the case of letters do not
    ///   matter.
    /// - Throws: ``RideCodeError``. If several reasons apply, the earliest one is thrown: a code that was used and
    ///   has since expired throws ``RideCodeError/used``.
    public func redeem(_ text: String) throws(RideCodeError) -> String {
        let text = Self.canonical(text)
        let now = now()
        return try state.withLock { (state) throws(RideCodeError) in
            guard let entry = state.entries[text], !entry.isForgotten(now) else { throw .unknown }
            if let end = entry.end { throw end }
            guard now < entry.expires else { throw .expired }
            state.entries[text]?.end = .used
            return entry.passenger
        }
    }

    /// Removes surrounding white space and converts letters to upper case.
    private static func canonical(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
    }

    /// The number of codes in memory.
    var count: Int { state.withLock { $0.entries.count } }

    /// Removes old entries of finished codes. Sweeps are rare, because each sweep makes room for at least
    /// half of the limit.
    private func sweep(_ state: inout State, _ now: Date) {
        let live = state.entries.filter { $0.value.isLive(now) }
        let finished = state.entries.filter { !$0.value.isLive(now) && !$0.value.isForgotten(now) }
            .sorted { $0.value.expires < $1.value.expires }
            .suffix(limit / 2)
        state.entries = live.merging(finished.map { ($0.key, $0.value) }) { live, _ in live }
        state.newest = state.newest.filter { state.entries[$0.value] != nil }
        state.sweepAt = state.entries.count + (limit - limit / 2)
    }
}
