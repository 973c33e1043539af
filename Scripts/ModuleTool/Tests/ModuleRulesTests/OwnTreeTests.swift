import ModuleTree
import Testing

@testable import ModuleRules

@Suite("Our own tree")
struct OwnTreeTests {
    @Test("breaks no rule about its packages")
    func clean() throws {
        let subject = Subject(try TreeReader(root: repositoryRoot()).read())
        let rules = try RuleBook.rules(named: ["pairs", "layers", "imports", "registration"])
        #expect(try RuleBook.findings(of: rules, in: subject) == [])
        #expect(subject.tree.hasPairs)
    }

    @Test("breaks no rule about its releases")
    func releases() throws {
        let subject = Subject(try TreeReader(root: repositoryRoot()).read())
        #expect(try RuleBook.findings(of: try RuleBook.rules(named: ["versions"]), in: subject) == [])
    }
}
