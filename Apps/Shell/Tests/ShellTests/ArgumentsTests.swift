import Testing

@testable import Shell

@Suite("The Shell's arguments")
struct ArgumentsTests {
    @Test("empty")
    func none() throws {
        #expect(try Arguments([]).callers == [])
    }
}
