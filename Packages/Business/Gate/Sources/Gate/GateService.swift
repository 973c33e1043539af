import ApiCenter
import Foundation
import GateApi
import GateLedger
import Storage

/// Gate's IMP: applies the rules for codes and passages to the records in a ledger. One object, shared by all callers.
final class GateService: GateApiProtocol {
    /// How long Gate remembers a code after its expiry, in seconds.
    private static let memory: TimeInterval = 86_400

    /// The time of a transaction.
    private struct Times: Sendable {
        let now: Date
        /// When a code expires that the transaction issues.
        let expiry: Date
    }

    private let settings: GateSettings
    private let ledger: any GateLedger
    private let streams = PassageStreams()

    /// Opens the ledger.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    init(center: ApiCenter) throws {
        // Without settings, the defaults apply. If the app's settings cannot be built, no Gate opens another ledger.
        let hasSettings = center.isRegisteredApi(api: GateSettings.self)
        settings = try hasSettings ? center.requireApi(type: GateSettings.self) : GateSettings()
        ledger = try settings.ledger ?? DocumentLedger(in: center.requireApi(type: Storage.self))
    }

    func code(for passenger: String) async throws(GateApiError) -> GateCode {
        try await transaction { [self] ledger, times in
            let open = try ledger.openRecord(of: passenger)
            if let open, times.now < open.code.expires { return open.code }
            return try issue(for: passenger, replacing: open, in: ledger, times)
        }
    }

    func newCode(for passenger: String) async throws(GateApiError) -> GateCode {
        try await transaction { [self] ledger, times in
            try issue(for: passenger, replacing: ledger.openRecord(of: passenger), in: ledger, times)
        }
    }

    func expireCode(of passenger: String) async throws(GateApiError) {
        try await transaction { ledger, _ in
            guard var record = try ledger.openRecord(of: passenger) else { return }
            record.end = .expired
            try ledger.save(record)
        }
    }

    func pass(
        code: String, passenger: String, station: String, key: String
    ) async throws(GateApiError) -> GatePassage {
        let text = code.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
        let (passage, isNew, isReported) = try await transaction { ledger, times in
            let now = times.now
            guard var record = try ledger.record(text), now < record.code.expires + Self.memory else {
                throw GateApiError.codeUnknown
            }
            guard record.passenger == passenger else { throw GateApiError.codeOfAnother }
            switch record.end {
            case .used(let passage) where passage.key == key: return (passage, false, false)
            case .reported(let passage) where passage.key == key: return (passage, false, true)
            case .used, .reported: throw GateApiError.codeUsed
            case .replaced: throw GateApiError.codeReplaced
            case .expired: throw GateApiError.codeExpired
            case nil: guard now < record.code.expires else { throw GateApiError.codeExpired }
            }
            let passage = GatePassage(passenger: passenger, station: station, date: now, key: key)
            record.end = .used(passage)
            try ledger.save(record)
            return (passage, true, false)
        }
        var opens = isNew
        if !isReported, let report = settings.report {
            do {
                try await report(passage)
            } catch {
                throw .notSaved("the operator has no report of the passage: \(error)")
            }
            // The gate opens after the first report, which may be that of a repeated call.
            opens = try await noteReport(of: passage, by: text)
        }
        if opens { streams.send(passage) }
        return passage
    }

    /// Records that the operator has the report of a passage.
    ///
    /// - Returns: False if a concurrent call has recorded it.
    private func noteReport(of passage: GatePassage, by code: String) async throws(GateApiError) -> Bool {
        try await transaction { ledger, _ in
            guard var record = try ledger.record(code), case .used = record.end else { return false }
            record.end = .reported(passage)
            try ledger.save(record)
            return true
        }
    }

    func passages(at station: String) async throws(GateApiError) -> AsyncThrowingStream<
        GatePassage, any Error
    > {
        streams.stream(of: station)
    }

    /// Ends the passenger's open record and issues a new code, so that a passenger never has two open records.
    private func issue(
        for passenger: String, replacing open: GateRecord?, in ledger: any GateTransaction,
        _ times: Times
    ) throws -> GateCode {
        if var open {
            open.end = times.now < open.code.expires ? .replaced : .expired
            try ledger.save(open)
        }
        try ledger.forget(expiredBy: times.now - Self.memory)
        let code = GateCode(text: Self.randomText(), expires: times.expiry)
        try ledger.save(GateRecord(code: code, passenger: passenger))
        return code
    }

    private func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (any GateTransaction, Times) throws -> Result
    ) async throws(GateApiError) -> Result {
        do {
            return try await ledger.transaction { [settings] ledger in
                let now = settings.now?() ?? Date()
                return try body(ledger, Times(now: now, expiry: now + settings.codeLifetime))
            }
        } catch let error as GateApiError {
            throw error
        } catch {
            throw .notSaved("\(error)")
        }
    }

    /// Returns a unique, unguessable code from the system's cryptographic random number generator.
    private static func randomText() -> String {
        let digits = String(UInt128.random(in: .min ... .max), radix: 32, uppercase: true)
        return String(repeating: "0", count: 26 - digits.count) + digits
    }
}
