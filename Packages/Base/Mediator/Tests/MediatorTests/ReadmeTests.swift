import Mediator
import TestSupport
import Testing

@Suite("README of Mediator") struct ReadmeTests {
    @Test("The mediator returns the documented result for every row of the README's table of examples")
    func examples() throws {
        let mediator = Mediator()
        let show: @Sendable (String, [String: any Sendable]) -> String = { action, params in
            let shown = params.filter { !$0.key.hasPrefix("@") }.sorted { $0.key < $1.key }.map {
                key, value in
                " \(key)=" + ((value as? [String]).map { "[\($0.joined(separator: ", "))]" } ?? "\(value)")
            }
            return action + shown.joined()
        }
        try mediator.install([
            .action("shop", "open", from: .outside) { show("open", $0.values) },
            .action("shop", "pay") { show("pay", $0.values) },
        ])
        let rows = try Readme().table(below: "### Examples")
        #expect(rows.count >= 12)
        for row in rows {
            try #require(row.count == 2, "\(row)")
            var result: String?
            do {
                result = try mediator.openUrl(row[0]) as? String
            } catch let error as MediatorError {
                result =
                    if case .badURL(let error) = error.reason {
                        "badURL at \(error.position)"
                    } else { String("\(error.reason)".prefix { $0 != "(" }) }
            }
            #expect(result == row[1], "\(row[0])")
        }
    }

    @Test("Every Swift block in the README of Mediator is quoted exactly from the file that the block names")
    func code() throws {
        let readme = try Readme()
        #expect(readme.blocks(in: "swift").count == 4)
        #expect(readme.strayCode().map(\.description) == [])
    }
}
