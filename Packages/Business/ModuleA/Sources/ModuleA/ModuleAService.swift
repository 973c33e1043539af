import ApiCenter
import ModuleAApi
import ModuleBApi
import ModuleCApi

/// ModuleA's IMP: a struct, created on every lookup.
struct ModuleAService: ModuleAApiProtocol {
    private weak let center: ApiCenter?

    init(center: ApiCenter) {
        self.center = center
    }

    func descriptionA() -> String { "I am ModuleA." }

    func askOthers() -> [String?] {
        [
            center?.api(type: ModuleBApiProtocol.self)?.descriptionB(),
            center?.api(type: ModuleCApiProtocol.self)?.descriptionC(),
        ]
    }
}
