import Links
import TestSupport
import Testing

@Suite("README of Links") struct ReadmeTests {
    @Test("The parser returns the documented result for every row of the table in Grammar.md")
    func examples() throws {
        let rows = try Readme("Grammar.md", in: Readme().root).table(below: "## Examples")
        #expect(rows.count >= 25)
        for row in rows {
            try #require(row.count == 2, "\(row)")
            let text = row[0] == "(empty)" ? "" : row[0]
            let result: String
            do { result = summary(try AppURL(text)) } catch { result = summary(error) }
            #expect(result == row[1], "\(row[0])")
        }
    }

    @Test("Every Swift block in the README of Links matches the source file that it quotes")
    func code() throws {
        let readme = try Readme()
        #expect(readme.blocks(in: "swift").count == 3)
        #expect(readme.strayCode().map(\.description) == [])
    }

    private func summary(_ url: AppURL) -> String {
        var parts: [String] = []
        if let scheme = url.scheme { parts.append("scheme \(scheme)") }
        if let host = url.host { parts.append("host \(host)") }
        if !url.path.isEmpty { parts.append("path [\(url.path.joined(separator: "] ["))]") }
        if !url.query.isEmpty {
            parts.append("query " + url.query.map { "[\($0.name)]=[\($0.value)]" }.joined(separator: " "))
        }
        if let fragment = url.fragment { parts.append("fragment [\(fragment)]") }
        return parts.isEmpty ? "the root" : parts.joined(separator: ", ")
    }

    private func summary(_ error: AppURLError) -> String {
        let reason = String("\(error.reason)".prefix { $0 != "(" })
        return "error \(reason) at \(error.position)"
    }
}
