import Foundation
import GateApi
import Synchronization

/// A Gate for tests, which can be slow or unreachable, or lose its answers. Its codes expire after a minute of its own
/// clock. Thread-safe.
public final class FakeGate: GateApiProtocol {
    /// Returns the error that the call throws; nil if the call succeeds. The argument is `code`, `newCode`, `expireCode`
    /// or `pass`.
    public typealias Hook = @Sendable (_ call: String) async -> GateApiError?

    private struct Code {
        let passenger: String
        let expires: Date
        var refusal: GateApiError?
        var passage: GatePassage?
    }

    private struct State {
        var codes: [String: Code] = [:]
        var now = Date(timeIntervalSince1970: 0)
        var before, after: Hook?
    }

    private let state = Mutex(State())

    /// Creates a Gate without codes.
    public init() {}

    /// The time of the Gate's clock, which only the test changes.
    public var now: Date {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    /// Runs before a call takes effect.
    public var before: Hook? {
        get { state.withLock { $0.before } }
        set { state.withLock { $0.before = newValue } }
    }

    /// Runs after a call has taken effect, before it returns.
    public var after: Hook? {
        get { state.withLock { $0.after } }
        set { state.withLock { $0.after = newValue } }
    }

    /// How many times a gate has opened.
    public var openings: Int { state.withLock { $0.codes.values.count { $0.passage != nil } } }

    public func code(for passenger: String) async throws(GateApiError) -> GateCode {
        try await answer("code") { state in
            let current = state.codes.first { [now = state.now] in
                $0.value.passenger == passenger && $0.value.refusal == nil && now < $0.value.expires
            }
            if let current { return GateCode(text: current.key, expires: current.value.expires) }
            return Self.issue(for: passenger, &state)
        }
    }

    public func newCode(for passenger: String) async throws(GateApiError) -> GateCode {
        try await answer("newCode") { state in
            Self.end(of: passenger, .codeReplaced, &state)
            return Self.issue(for: passenger, &state)
        }
    }

    public func expireCode(of passenger: String) async throws(GateApiError) {
        try await answer("expireCode") { Self.end(of: passenger, .codeExpired, &$0) }
    }

    public func pass(
        code: String, passenger: String, station: String, key: String
    ) async throws(GateApiError) -> GatePassage {
        try await answer("pass") { state throws(GateApiError) in
            guard let found = state.codes[code] else { throw .codeUnknown }
            guard found.passenger == passenger else { throw .codeOfAnother }
            if let passage = found.passage, passage.key == key { return passage }
            if let refusal = found.refusal { throw refusal }
            guard state.now < found.expires else { throw .codeExpired }
            let passage = GatePassage(passenger: passenger, station: station, date: state.now, key: key)
            state.codes[code]?.refusal = .codeUsed
            state.codes[code]?.passage = passage
            return passage
        }
    }

    /// Always throws: the fake streams no passages.
    public func passages(
        at station: String
    ) async throws(GateApiError) -> AsyncThrowingStream<GatePassage, any Error> {
        throw .unreachable("this fake streams no passages")
    }

    private static func issue(for passenger: String, _ state: inout State) -> GateCode {
        let code = GateCode(text: UUID().uuidString, expires: state.now + 60)
        state.codes[code.text] = Code(passenger: passenger, expires: code.expires)
        return code
    }

    private static func end(of passenger: String, _ refusal: GateApiError, _ state: inout State) {
        for (text, code) in state.codes where code.passenger == passenger && code.refusal == nil {
            state.codes[text]?.refusal = refusal
        }
    }

    private func answer<Answer: Sendable>(
        _ call: String, _ body: (inout State) throws(GateApiError) -> Answer
    ) async throws(GateApiError) -> Answer {
        if let error = await before?(call) { throw error }
        let answer = try state.withLock { (state) throws(GateApiError) in try body(&state) }
        if let error = await after?(call) { throw error }
        return answer
    }
}
