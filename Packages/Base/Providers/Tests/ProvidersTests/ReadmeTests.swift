import TestSupport
import Testing

@Suite("README of Providers")
struct ReadmeTests {
    @Test("Every Swift block in the README of Providers is quoted exactly from the file that the block names")
    func blocks() throws {
        let readme = try Readme()
        #expect(readme.blocks(in: "swift").count == 7)
        #expect(readme.strayCode(indented: true).map(\.description) == [])
    }
}
