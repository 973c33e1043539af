import TestSupport
import Testing

@Suite("The README of Launch")
struct ReadmeTests {
    @Test("Every Swift block in the README of Launch equals the code in the file that the block names")
    func blocks() throws {
        let readme = try Readme()
        #expect(readme.blocks(in: "swift").count == 4)
        #expect(readme.strayCode(indented: true).map(\.description) == [])
    }
}
