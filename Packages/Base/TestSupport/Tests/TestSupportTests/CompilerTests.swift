#if os(Linux)
import TestSupport
import Testing

@Suite("Compiler", .timeLimit(.minutes(10)), .waitLimit)
struct CompilerTests {
    @Test("The compiler finds the errors and the warnings of a source that imports a module of the tests")
    func messages() throws {
        let source = "import TestSupport\nfunc f() { let unused = Shared(1) }\n"
        #expect(try Compiler.errors(in: source) == [])
        #expect(try Compiler.warnings(in: source).count == 1)
        let errors = try Compiler.errors(in: source + "let number: Int = Shared(2)\n")
        #expect(errors.count == 1 && errors[0].contains("cannot convert value of type"), "\(errors)")
    }
}
#endif
