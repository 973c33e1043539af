import ModuleTree

/// All rules.
package enum RuleBook {
    /// In the order in which they are explained.
    package static let rules: [any Rule] = [
        PairHalvesRule(), PairNamesRule(), ApiAloneRule(), ApiContentRule(), ImpOwnApiRule(), ImpPublicRule(),
        LayerOrderRule(), ImpHiddenRule(), FacadeAloneRule(), CyclesRule(),
        ImportDeclaredRule(), DependencyUsedRule(),
        RegistrationMissingRule(), RegistrationDoubleRule(), RegistrationOrphanRule(),
        RegistrationLiteralRule(), AppListRule(),
        VersionTableRule(), VersionLibrariesRule(), VersionInCodeRule(), VersionFloorsRule(),
        VersionLoweredRule(),
        VersionRaisedRule(),
        VersionStepRule(), VersionDeprecationRule(),
    ]

    /// The rules that names stand for: identifiers or groups; all of them for no names.
    ///
    /// - Throws: ``ModuleTree/TreeError`` for a name that is neither, with the names that are.
    package static func rules(named names: [String]) throws -> [any Rule] {
        for name in names where !rules.contains(where: { $0.id == name || $0.group.rawValue == name }) {
            throw TreeError(
                .configuration, name, what: "is neither a rule nor a group of rules",
                why: "a rule that is misspelt would be skipped silently",
                mend: "one of: "
                    + (RuleGroup.allCases.map(\.rawValue) + rules.map(\.id)).joined(separator: ", "))
        }
        return names.isEmpty
            ? rules : rules.filter { names.contains($0.id) || names.contains($0.group.rawValue) }
    }

    /// Everything that breaks the given rules, sorted by place.
    package static func findings(of rules: [any Rule], in subject: Subject) throws -> [Finding] {
        Array(Set(try rules.flatMap { try $0.findings(in: subject) })).sorted()
    }
}
