import ModuleKit

/// One verdict for each cause: of the rules that report the same dependency, declaration or row, the strongest one
/// speaks, so that no two findings ask for opposite edits.
struct Verdicts {
    /// The findings of the chosen rules, and those of stronger rules that were not chosen.
    private var verdicts: [Diagnostic] = []
    /// The index of the verdict about each place.
    private var strongest: [SourcePlace: Int] = [:]
    private let chosen: Set<String>

    /// - Parameters:
    ///   - findings: The findings of all rules that may report the causes of a chosen rule's findings.
    ///   - order: The identifiers of these rules, strongest first.
    ///   - chosen: The rules to report.
    init(_ findings: [Diagnostic], order: [String], chosen: Set<String>) {
        self.chosen = chosen
        let byRule = Dictionary(grouping: findings, by: \.rule)
        for rule in order { judge(byRule[rule, default: []].sorted()) }
    }

    var findings: [Diagnostic] { verdicts.filter { chosen.contains($0.rule) } }

    /// Adds the findings of a rule that is weaker than all previous rules.
    private mutating func judge(_ findings: [Diagnostic]) {
        let known = strongest
        for var finding in findings {
            if let stronger = finding.cause.compactMap({ known[$0] }).min() {
                if chosen.contains(verdicts[stronger].rule) || !chosen.contains(finding.rule) {
                    verdicts[stronger].weaker.append(finding)
                    // What this finding would have said about its other causes, the stronger one covers too.
                    for place in finding.cause where strongest[place] == nil { strongest[place] = stronger }
                    continue
                }
                // Nobody chose the stronger rule, which knows better how to fix the cause.
                finding.fix = verdicts[stronger].fix
                if finding.repair != .remove { finding.repair = nil }
            }
            for place in finding.cause { strongest[place] = verdicts.count }
            verdicts.append(finding)
        }
    }
}
