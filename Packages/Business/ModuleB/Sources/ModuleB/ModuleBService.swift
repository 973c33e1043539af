import ApiCenter
import ModuleAApi
import ModuleBApi
import ModuleCApi

/// ModuleB's IMP: one object, shared by all callers.
final class ModuleBService: ModuleBApiProtocol {
    private weak let center: ApiCenter?

    init(center: ApiCenter) {
        self.center = center
    }

    func descriptionB() -> String { "I am ModuleB." }

    func askOthers() -> [String?] {
        [
            center?.api(type: ModuleAApiProtocol.self)?.descriptionA(),
            center?.api(type: ModuleCApiProtocol.self)?.descriptionC(),
        ]
    }
}
