import ModuleRules

/// The rules about pairs, layers, imports and registrations, in the order in which `modules explain` lists them. Of two
/// rules that report the same cause, the first one is stronger.
package enum CheckRules {
    package static let all: [Rule] = [
        .pairHalves, .pairNames, .apiAlone, .apiContent, .apiSignature, .apiReexports, .fakesInTests,
        .impOwnApi, .impPublic,
        .moduleMembers, .routeConstant,
        .impHidden, .layerOrder, .facadeAlone, .deniedUse, .cycles, .sharedCalls,
        .importDeclared, .dependencyUsed, .manifestRead, .packageFound, .sharedSettings,
        .registrationMissing, .registrationDouble, .registrationOrphan, .registrationLiteral, .appList,
        .eventsInOrder,
    ]
}
