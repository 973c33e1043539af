import ApiCenter
import Foundation
import Gate
import GateApi
import GateLedger
import Storage
import TestSupport

/// An app with a Gate, and a clock that the test advances.
struct TestGate {
    let center = ApiCenter()
    let time: Shared<Date>

    init(
        on storage: Storage = .inMemory(), ledger: (any GateLedger)? = nil,
        time: Shared<Date> = Shared(Date(timeIntervalSinceReferenceDate: 0)),
        report: (@Sendable (GatePassage) async throws -> Void)? = nil
    ) {
        self.time = time
        center.register(Storage.self) { storage }
        center.register(GateSettings.self) {
            GateSettings(now: { time.value }, ledger: ledger, report: report)
        }
        GateModule().register(in: center)
    }

    var api: any GateApiProtocol {
        get throws { try center.requireApi(type: GateApiProtocol.self) }
    }

    /// Passes a gate. The default key is new, so each call is a separate attempt.
    @discardableResult
    func pass(
        _ code: String, of passenger: String = "ann", at station: String = "Museum",
        key: String = UUID().uuidString
    ) async throws(GateApiError) -> GatePassage {
        guard let gate = try? api else { throw .unreachable("no Gate is registered") }
        return try await gate.pass(code: code, passenger: passenger, station: station, key: key)
    }
}
