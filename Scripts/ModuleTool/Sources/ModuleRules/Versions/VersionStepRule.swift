import ModuleTree
import ModuleVersions

/// An Api's version rises as far as its surface changed.
struct VersionStepRule: Rule {
    let id = "version-step"
    let group = RuleGroup.versions
    let why =
        "the change notes and versions of the Api are all that callers see of a release (1-ApiCenter, 说明 4)"
    let explanation = """
        Against the commits that gave the Api its current and its previous version (or --since): when what \
        callers see of the Api changed, its version rose by a minor step at least; when it breaks callers or \
        whoever conforms to its protocols, by a major one (by a minor one before 1.0.0). A requirement added \
        without a default implementation breaks, and so does a declaration that is now `async`, `throws` or \
        `@MainActor` and was not, or the other way round, and another value of a public constant or another raw \
        value of an enum: a route's name is a contract. An Api that does not compile alone cannot be judged, and \
        that is a finding too. swift-api-digester judges the two states' files, and \
        swift-syntax the values, the effects and the actors, which it does not see.

        Breaks it:  func rides() removed from RideApiProtocol, 1.2.0 -> 1.3.0
        Mend it:    Scripts/modules bump Ride major --note "what callers have to do"
        """

    func findings(in subject: Subject) throws -> [Finding] {
        let apis = try subject.apiChanges.value
        return unreadable(apis.unreadable) + steps(apis.changes)
    }

    private func unreadable(_ apis: [ApiChanges.Unreadable]) -> [Finding] {
        apis.map {
            finding(
                $0.error.place,
                "\($0.api.name) does not compile alone, so what changed in it is unknown: \($0.error.what)",
                mend: "mend it, so that \($0.api.name) builds: swift build --package-path \($0.api.path)",
                notes: [.init($0.api.place, "the Api")])
        }
    }

    private func steps(_ changes: [ApiChanges.Change]) -> [Finding] {
        changes.compactMap { change in
            guard change.surface.isChanged, let now = change.row.api.version,
                let before = change.base.row.api.version
            else { return nil }
            let breaks = change.surface.breaks
            let isMajor = now.major > before.major
            let isMinor = isMajor || now.major == before.major && now.minor > before.minor
            if breaks.isEmpty ? isMinor : isMajor || before.major == 0 && isMinor { return nil }
            let step = breaks.isEmpty || before.major == 0 ? "minor" : "major"
            let what = breaks.isEmpty ? "something was added or deprecated" : breaks.joined(separator: "; ")
            return finding(
                change.row.place,
                "\(change.api.name) changed since \(before) (commit \(change.base.commit.prefix(10))) and is "
                    + "\(now): \(what)",
                mend: "Scripts/modules bump \(change.row.module) \(step) --note \"what changed for callers\"",
                notes: [.init(change.api.place, "the Api")])
        }
    }
}
