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
        without a default implementation breaks, and so does another value of a public constant or another raw \
        value of an enum: a route's name is a contract. swift-api-digester judges the two states' files, \
        swift-syntax the values.

        Breaks it:  func rides() removed from RideApiProtocol, 1.2.0 -> 1.3.0
        Mend it:    Scripts/modules bump Ride major --note "what callers have to do"
        """

    func findings(in subject: Subject) throws -> [Finding] {
        try subject.apiChanges.value.compactMap { change in
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
