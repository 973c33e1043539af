import ApiCenter
import GateApi
import GateLedger
import Lifecycle
import Storage

/// Registers Gate. The package's only public declaration.
public struct GateModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) throws {
        let settings = center.api(type: GateSettings.self) ?? GateSettings()
        let ledger = try settings.ledger ?? DocumentLedger(in: center.requireApi(type: Storage.self))
        center.register(GateApiProtocol.self, scope: .once) { GateService(settings, ledger: ledger) }
    }
}
