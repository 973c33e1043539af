import ApiCenter
import ModuleAApi
import ModuleBApi
import ModuleCApi

/// ModuleC's IMP: a struct, created on every lookup.
struct ModuleCService: ModuleCApiProtocol {
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
