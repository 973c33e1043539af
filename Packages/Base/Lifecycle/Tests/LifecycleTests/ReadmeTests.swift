import TestSupport
import Testing

@Suite("README.md")
struct ReadmeTests {
    @Test("Every code block in Swift stands in the file that it is from, word for word")
    func blocks() throws {
        let readme = try Readme()
        #expect(readme.blocks(in: "swift").count == 2)
        #expect(readme.strayCode(indented: true).map(\.description) == [])
    }
}
