import ApiCenter
import ModuleAApi
import ModuleBApi
import ModuleCApi

/// ModuleC's IMP: one object, shared by all callers.
final class ModuleCService: ModuleCApiProtocol {
    private weak let center: ApiCenter?

    init(center: ApiCenter) {
        self.center = center
    }

    func descriptionC() -> String { "I am ModuleC." }

    func askOthers() -> [String?] {
        [
            center?.api(type: ModuleAApiProtocol.self)?.descriptionA(),
            center?.api(type: ModuleBApiProtocol.self)?.descriptionB(),
        ]
    }
}
