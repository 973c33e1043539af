import TestSupport
import Testing

@Suite("The README of Screens")
struct ReadmeTests {
    @Test("The Swift block in the README of Screens equals the code in the file that the block names")
    func blocks() throws {
        let readme = try Readme()
        #expect(readme.blocks(in: "swift").count == 1)
        #expect(readme.strayCode(indented: true).map(\.description) == [])
    }
}
