import ApiCenter
import ModuleAApi
import ModuleBApi
import ModuleCApi

/// ModuleA's IMP: one object, shared by all callers.
final class ModuleAService: ModuleAApiProtocol {
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
