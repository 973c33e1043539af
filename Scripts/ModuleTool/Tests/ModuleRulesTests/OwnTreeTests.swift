import ModuleTree
import Testing

@testable import ModuleRules

@Suite("This repository")
struct OwnTreeTests {
    @Test("This repository breaks no rule about pairs, layers, imports or registration")
    func clean() throws {
        let subject = RuleContext(try TreeReader(root: repositoryRoot()).read())
        let rules = try RuleBook.rules(named: ["pairs", "layers", "imports", "registration"])
        #expect(try RuleBook.findings(of: rules, in: subject) == [])
        #expect(subject.tree.hasPairs)
    }

    @Test("This repository breaks no rule about versions")
    func releases() throws {
        let subject = RuleContext(try TreeReader(root: repositoryRoot()).read())
        #expect(try RuleBook.findings(of: try RuleBook.rules(named: ["versions"]), in: subject) == [])
    }
}
