import ModuleChecks
import ModuleReleases
import ModuleRules

extension RuleBook {
    /// The rules about what people write.
    static let tree = RuleBook(CheckRules.all + VersionRules.all)

    /// The rules of the tree, and the rules about text that this tool generates.
    static let all = tree.rules + [.remoteCurrent, .registrationsCurrent, .testUses]
}
