import ApiCenter
import GateApi
import HomeApi
import JourneyApi
import LoggerApi
import ModuleAApi
import ModuleBApi
import ModuleCApi
import PayTypeApi
import RideApi
import SDKManagerApi
import ServiceOpenApi
import UserApi
import WebContainerApi

extension Diary {
    /// The qualified names of the Apis of the sample.
    static let apis = Set(
        [
            "Gate", "Home", "Journey", "Logger", "ModuleA", "ModuleB", "ModuleC",
            "PayType", "Ride", "SDKManager", "ServiceOpen", "User", "WebContainer",
        ].map { "\($0)Api.\($0)ApiProtocol" })

    /// Puts a forwarder around the IMP of each Api, so that the record contains the calls of its members with their values.
    /// Callers keep their code, and the core knows nothing of it. An Api without an IMP, or whose builder fails, stays as it
    /// is.
    ///
    /// Call this when all modules have prepared, because an IMP is built here if it has not been.
    ///
    /// - Parameters:
    ///   - center: The app's center.
    ///   - gateSwitch: Takes the gate offline.
    func forward(in center: ApiCenter, _ gateSwitch: GateSwitch) {
        put(GateApiProtocol.self, in: center) { imp, calls in
            GateForwarder(imp: SwitchedGate(gate: imp, gateSwitch: gateSwitch), calls: calls)
        }
        put(HomeApiProtocol.self, in: center) { HomeForwarder(imp: $0, calls: $1) }
        put(JourneyApiProtocol.self, in: center) { JourneyForwarder(imp: $0, calls: $1) }
        put(LoggerApiProtocol.self, in: center) { LoggerForwarder(imp: $0, calls: $1) }
        put(ModuleAApiProtocol.self, in: center) { ModuleAForwarder(imp: $0, calls: $1) }
        put(ModuleBApiProtocol.self, in: center) { ModuleBForwarder(imp: $0, calls: $1) }
        put(ModuleCApiProtocol.self, in: center) { ModuleCForwarder(imp: $0, calls: $1) }
        put(PayTypeApiProtocol.self, in: center) { PayTypeForwarder(imp: $0, calls: $1) }
        put(RideApiProtocol.self, in: center) { RideForwarder(imp: $0, calls: $1) }
        put(SDKManagerApiProtocol.self, in: center) { SDKManagerForwarder(imp: $0, calls: $1) }
        put(ServiceOpenApiProtocol.self, in: center) { ServiceOpenForwarder(imp: $0, calls: $1) }
        put(UserApiProtocol.self, in: center) { UserForwarder(imp: $0, calls: $1) }
        put(WebContainerApiProtocol.self, in: center) { WebContainerForwarder(imp: $0, calls: $1) }
    }

    private func put<Api: Sendable>(
        _ api: Api.Type, in center: ApiCenter, _ forwarder: @escaping @Sendable (Api, CallRecorder) -> Api
    ) {
        // modules:allow registration-literal: `forward(in:)` names the Apis, and one that is absent stays as it is
        guard let imp = center.api(type: api) else { return }
        let callee = answering(String(reflecting: api))?.module ?? String(reflecting: api)
        // modules:allow registration-literal: the IMP of an Api in `forward(in:)` is replaced, and none is added
        center.replaceApi(type: api) { [self] in
            forwarder(imp, CallRecorder(diary: self, callee: callee, lookUp: .taken(for: api, of: self)))
        }
    }
}
