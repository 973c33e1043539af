import TestSupport
import Testing

@Suite("README of Offers") struct ReadmeTests {
    @Test("The README of Offers contains no Swift code that no file contains")
    func code() throws {
        #expect(try Readme().strayCode().map(\.description) == [])
    }
}
