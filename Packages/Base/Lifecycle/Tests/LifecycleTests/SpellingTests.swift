import TestSupport
import Testing

#if os(Linux)
@Suite("Members that Module would ignore")
struct SpellingTests {
    @Test("A member with the name of a requirement but another type does not compile")
    func traps() throws {
        let traps = [
            "let after: Set = [\"Logger\"]",
            "var after: Set<String> { [\"Logger\"] }",
            "var after: [String]? { nil }",
            "let name = 1",
            "func handle(_ event: String, in center: ApiCenter) {}",
        ]
        let right = """
            let after = ["Logger"]
            var name: String { "A" }
            func prepare(in center: ApiCenter) {}
            func handle(_ event: LifecycleEvent, in center: ApiCenter) {}
            """
        let modules = ([right] + traps).enumerated().map { number, members in
            "struct Module\(number): Module {\nlet version = \"1\"\nfunc register(in center: ApiCenter) {}\n\(members)\n}\n"
        }
        let errors = try Compiler.errors(in: "import ApiCenter\nimport Lifecycle\n" + modules.joined())
        let found = (1...traps.count).map { number in
            errors.contains {
                $0.contains("type 'Module\(number)' does not conform to protocol 'ModuleSpelling'")
            }
        }
        #expect(found == traps.map { _ in true }, "\(errors)")
        #expect(!errors.contains { $0.contains("'Module0'") }, "\(errors)")
    }
}
#endif
