import Foundation
import Locking

/// Issues codes and is the only one who can say whether a code opens a gate.
///
/// ```swift
/// let issuer = RideCodeIssuer()
/// let code = issuer.issue(for: passenger)      // on the phone
/// let passenger = try issuer.redeem(code.text) // at the gate
/// ```
///
/// A code is for one passenger, one passage and a short time. It is random and is verified by looking it up,
/// so no key has to be kept anywhere.
///
/// What became of a code is remembered for a day, so that a gate can tell why it stays closed; after that the
/// code is unknown. The memory is bounded: at most one live code a passenger, and `limit` finished ones.
///
/// All operations are safe from every thread.
public final class RideCodeIssuer: Sendable {
    private struct Entry {
        let passenger: String
        let expires: Date
        /// Nil as long as no gate, no newer code and no ``RideCodeIssuer/expire(for:)`` has ended it.
        var end: RideCodeError?

        func isLive(_ now: Date) -> Bool { end == nil && now < expires }
        func isForgotten(_ now: Date) -> Bool { now >= expires + RideCodeIssuer.memory }
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The text of each passenger's newest code.
        var newest: [String: String] = [:]
        /// As many entries as call for a sweep.
        var sweepAt: Int
    }

    private static let memory: TimeInterval = 86_400

    private let state: Locked<State>
    private let lifetime: TimeInterval
    private let limit: Int
    private let now: @Sendable () -> Date

    /// An issuer that has issued nothing.
    ///
    /// - Parameters:
    ///   - lifetime: For how many seconds a code is valid; with 0 or less it never is.
    ///   - limit: The most finished codes (used, replaced, expired) to remember. When there are more, at least
    ///     half as many are remembered, those that expire last. A live code is never forgotten.
    ///   - now: The clock that codes expire by.
    public init(
        lifetime: TimeInterval = 60, limit: Int = 100_000, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        precondition(
            limit >= 2, "RideCodeIssuer: a limit of \(limit) finished codes; it has to be 2 or more.")
        (self.lifetime, self.limit, self.now) = (lifetime, limit, now)
        state = Locked(State(sweepAt: limit))
    }

    /// A new code for a passenger. Ends the passenger's former one.
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

    /// Ends a passenger's code before its time, as when the passenger logs out: from now on it is
    /// ``RideCodeError/expired``. Does nothing when no gate would take it anyway.
    public func expire(for passenger: String) {
        let now = now()
        state.withLock { state in
            guard let text = state.newest[passenger], state.entries[text]?.isLive(now) == true else { return }
            state.entries[text]?.end = .expired
        }
    }

    /// Whose code this is, whether or not a gate would take it; nil when it is unknown. Nothing changes by it.
    ///
    /// - Parameter text: As for ``redeem(_:)``.
    public func passenger(of text: String) -> String? {
        let now = now(), text = Self.canonical(text)
        return state.withLock { state in
            state.entries[text].flatMap { $0.isForgotten(now) ? nil : $0.passenger }
        }
    }

    /// Whether a gate would take this code now. Nothing changes by it.
    public func accepts(_ code: RideCode) -> Bool {
        let now = now()
        return state.withLock { $0.entries[code.text]?.isLive(now) == true }
    }

    /// The passenger whose code this is, once: of many gates that are shown a code at once, one opens.
    ///
    /// - Parameter text: The code as a scanner or a person delivers it: white space around it and the case of
    ///   letters do not matter.
    /// - Throws: What is wrong with the code. Of a code with several faults, the first that happened to it: one
    ///   that was used and has expired since is ``RideCodeError/used``.
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

    /// The code in what a scanner or a person delivers.
    private static func canonical(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
    }

    /// How many codes are in memory.
    var count: Int { state.withLock { $0.entries.count } }

    /// Forgets what may be forgotten. Half of the limit stays free, so that a sweep is rare.
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
