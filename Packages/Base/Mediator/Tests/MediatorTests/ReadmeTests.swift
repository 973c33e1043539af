import Testing

@Suite("The README tells the truth") struct ReadmeTests {
    @Test("Every swift block stands in the file it names")
    func code() throws {
        #expect(try Readme().strayCode() == [])
    }
}
