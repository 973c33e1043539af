import GateApi
import Synchronization

/// Whether the sample's gate answers. Thread-safe.
final class GateSwitch: Sendable {
    private let state = Mutex(false)

    var isOffline: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// A Gate that can be taken offline: then each call fails, as when the machine of the gates does not answer.
struct SwitchedGate: GateApiProtocol {
    let gate: any GateApiProtocol
    let gateSwitch: GateSwitch

    private func check() throws(GateApiError) {
        if gateSwitch.isOffline { throw .unreachable("the gate was taken offline on the page “Try it”") }
    }

    func code(for passenger: String) async throws(GateApiError) -> GateCode {
        try check()
        return try await gate.code(for: passenger)
    }

    func newCode(for passenger: String) async throws(GateApiError) -> GateCode {
        try check()
        return try await gate.newCode(for: passenger)
    }

    func expireCode(of passenger: String) async throws(GateApiError) {
        try check()
        try await gate.expireCode(of: passenger)
    }

    func pass(
        code: String, passenger: String, station: String, key: String
    ) async throws(GateApiError) -> GatePassage {
        try check()
        return try await gate.pass(code: code, passenger: passenger, station: station, key: key)
    }

    func passages(at station: String) async throws(GateApiError) -> AsyncThrowingStream<
        GatePassage, any Error
    > {
        try check()
        return try await gate.passages(at: station)
    }
}
