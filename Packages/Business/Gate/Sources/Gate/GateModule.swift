import ApiCenter
import GateApi
import Lifecycle

/// Registers Gate. The package's only public declaration.
public struct GateModule: Module {
    public let version = "1.0.0"

    /// The object behind the Api, which opens its files when the module prepares.
    private let service = GateService()

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(GateApiProtocol.self) { [service] in service }
    }

    public func prepare(in center: ApiCenter) async throws {
        try service.open(in: center)
    }
}
