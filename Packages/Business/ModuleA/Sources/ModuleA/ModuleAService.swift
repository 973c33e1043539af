import ModuleAApi

/// ModuleA's IMP: a struct, made anew for each caller.
struct ModuleAService: ModuleAApiProtocol {
    func descriptionA() -> String { "I am ModuleA." }
}
