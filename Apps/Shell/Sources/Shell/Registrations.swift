// Made by Scripts/registrations from the pairs in Package.swift; run it after changing those.

import Lifecycle

#if ModuleA
import ModuleA
#endif
#if ModuleB
import ModuleB
#endif
#if ModuleC
import ModuleC
#endif

/// The modules of the app: every pair of the root manifest whose trait is on.
enum Registrations {
    /// The names of all pairs, whether or not this build has them.
    static let names = [
        "ModuleA",
        "ModuleB",
        "ModuleC",
    ]

    /// The modules that this build has.
    @ModuleList static var modules: [any Module] {
        #if ModuleA
        ModuleAModule()
        #endif
        #if ModuleB
        ModuleBModule()
        #endif
        #if ModuleC
        ModuleCModule()
        #endif
    }
}
