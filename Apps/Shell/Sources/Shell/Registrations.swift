// Made by Scripts/registrations from the pairs in Package.swift; run it after changing those.

import Lifecycle

#if Home
import Home
#endif
#if Journey
import Journey
#endif
#if ModuleA
import ModuleA
#endif
#if ModuleB
import ModuleB
#endif
#if ModuleC
import ModuleC
#endif
#if PayType
import PayType
#endif
#if PayTypeCashless
import PayTypeCashless
#endif
#if Ride
import Ride
#endif
#if ServiceOpen
import ServiceOpen
#endif
#if WebContainer
import WebContainer
#endif
#if Logger
import Logger
#endif
#if SDKManager
import SDKManager
#endif
#if User
import User
#endif

/// The modules of the app: every pair of the root manifest whose trait is on.
enum Registrations {
    /// The names of all pairs, whether or not this build has them.
    static let names = [
        "Home",
        "Journey",
        "ModuleA",
        "ModuleB",
        "ModuleC",
        "PayType",
        "PayTypeCashless",
        "Ride",
        "ServiceOpen",
        "WebContainer",
        "Logger",
        "SDKManager",
        "User",
    ]

    /// The names of those that take another's place, and cannot be in a build with it.
    static let alternatives: Set<String> = ["PayTypeCashless"]

    /// The modules that this build has.
    @ModuleList static var modules: [any Module] {
        #if Home
        HomeModule()
        #endif
        #if Journey
        JourneyModule()
        #endif
        #if ModuleA
        ModuleAModule()
        #endif
        #if ModuleB
        ModuleBModule()
        #endif
        #if ModuleC
        ModuleCModule()
        #endif
        #if PayType
        PayTypeModule()
        #endif
        #if PayTypeCashless
        PayTypeCashlessModule()
        #endif
        #if Ride
        RideModule()
        #endif
        #if ServiceOpen
        ServiceOpenModule()
        #endif
        #if WebContainer
        WebContainerModule()
        #endif
        #if Logger
        LoggerModule()
        #endif
        #if SDKManager
        SDKManagerModule()
        #endif
        #if User
        UserModule()
        #endif
    }
}
