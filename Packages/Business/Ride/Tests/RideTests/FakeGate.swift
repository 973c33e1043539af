import Foundation
import GateApi
import TestSupport

/// A Gate that can be slow or unreachable, or lose its answers.
final class FakeGate: GateApiProtocol {
    /// Returns the error that the call throws; nil if the call succeeds.
    typealias Hook = @Sendable (_ call: String) async -> GateApiError?

    private struct Code {
        let passenger: String
        let expires: Date
        var refusal: GateApiError?
        var passage: GatePassage?
    }

    private let codes = Shared<[String: Code]>([:])
    private let time: Shared<Date>
    /// Runs before a call takes effect. The argument is `code`, `newCode`, `expireCode` or `pass`.
    let before = Shared<Hook?>(nil)
    /// Runs after a call has taken effect, before it returns.
    let after = Shared<Hook?>(nil)

    init(time: Shared<Date>) {
        self.time = time
    }

    /// How many times a gate has opened.
    var openings: Int { codes.value.values.count { $0.passage != nil } }

    func code(for passenger: String) async throws(GateApiError) -> GateCode {
        try await answer("code") { codes in
            let now = self.time.value
            if let current = codes.first(where: {
                $0.value.passenger == passenger && $0.value.refusal == nil && now < $0.value.expires
            }) {
                return GateCode(text: current.key, expires: current.value.expires)
            }
            return self.issue(for: passenger, &codes)
        }
    }

    func newCode(for passenger: String) async throws(GateApiError) -> GateCode {
        try await answer("newCode") { codes in
            self.end(of: passenger, .codeReplaced, &codes)
            return self.issue(for: passenger, &codes)
        }
    }

    func expireCode(of passenger: String) async throws(GateApiError) {
        try await answer("expireCode") { codes in self.end(of: passenger, .codeExpired, &codes) }
    }

    func pass(
        code: String, passenger: String, station: String, key: String
    ) async throws(GateApiError) -> GatePassage {
        try await answer("pass") { codes throws(GateApiError) in
            guard let found = codes[code] else { throw .codeUnknown }
            guard found.passenger == passenger else { throw .codeOfAnother }
            if let passage = found.passage, passage.key == key { return passage }
            if let refusal = found.refusal { throw refusal }
            guard self.time.value < found.expires else { throw .codeExpired }
            let passage = GatePassage(
                passenger: passenger, station: station, date: self.time.value, key: key)
            codes[code]?.refusal = .codeUsed
            codes[code]?.passage = passage
            return passage
        }
    }

    func passages(
        at station: String
    ) async throws(GateApiError) -> AsyncThrowingStream<GatePassage, any Error> {
        throw .unreachable("Ride asks for no stream")
    }

    private func issue(for passenger: String, _ codes: inout [String: Code]) -> GateCode {
        let code = GateCode(text: UUID().uuidString, expires: time.value + 60)
        codes[code.text] = Code(passenger: passenger, expires: code.expires)
        return code
    }

    private func end(of passenger: String, _ refusal: GateApiError, _ codes: inout [String: Code]) {
        for (text, code) in codes where code.passenger == passenger && code.refusal == nil {
            codes[text]?.refusal = refusal
        }
    }

    private func answer<Answer>(
        _ call: String, _ body: (inout [String: Code]) throws(GateApiError) -> Answer
    ) async throws(GateApiError) -> Answer {
        if let error = await before.value?(call) { throw error }
        var result: Result<Answer, GateApiError>?
        codes.update { codes in
            do throws(GateApiError) {
                result = .success(try body(&codes))
            } catch {
                result = .failure(error)
            }
        }
        if let error = await after.value?(call) { throw error }
        guard let result else { throw .unreachable("update(_:) always runs") }
        return try result.get()
    }
}
