import ModuleKit
import ModuleTree

/// The rules that `.modules.yml` turns off or into warnings.
struct RuleSettings {
    private let settings: [String: Configuration.RuleSetting]
    private let all: [Configuration.RuleSetting]

    /// - Parameter relied: The groups of rules that a command relies on. What the file says about these rules does not
    ///   count.
    init(_ configuration: Configuration, relyingOn relied: Set<RuleGroup>) {
        all = configuration.rules
        let ids = RuleText.all.filter { text in relied.contains { $0.rawValue == text.value.group } }.keys
        settings = Dictionary(all.filter { !ids.contains($0.rule) }.map { ($0.rule, $0) }) { first, _ in first
        }
    }

    /// Refuses the name of no rule, and settings of the rule that makes a check complete.
    func validate() throws(Diagnostic) {
        for setting in all {
            let isRequired = setting.rule == Rule.manifestRead.id
            guard isRequired || RuleText.all[setting.rule] == nil else { continue }
            throw Diagnostic(
                .configuration, at: setting.place,
                isRequired
                    ? "\(setting.rule) cannot be \(setting.severity)" : "no rule is named \(setting.rule)",
                why: isRequired
                    ? "A check without one of the manifests would pass whatever that package does."
                    : "The misspelt rule would still be checked.",
                fix: isRequired
                    ? "Remove the entry, and list the folder of a broken manifest under `exclude`."
                    : Spelling.choice(for: setting.rule, among: Array(RuleText.all.keys)))
        }
    }

    func isOff(_ rule: Rule) -> Bool { settings[rule.id]?.severity == .off }

    func isWarning(_ rule: String) -> Bool { settings[rule]?.severity == .warning }

    /// Why a rule is off.
    func reason(_ rule: Rule) -> String { settings[rule.id]?.reason ?? "" }
}
