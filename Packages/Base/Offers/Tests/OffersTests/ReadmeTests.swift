import TestSupport
import Testing

@Suite("README of Offers") struct ReadmeTests {
    @Test("Every Swift block in the README of Offers is quoted exactly from the file that the block names")
    func code() throws {
        #expect(try Readme().strayCode().map(\.description) == [])
    }
}
