import Routes
import TestSupport
import Testing

@Suite("README of Routes") struct ReadmeTests {
    @Test("The registry returns the documented result for every row of the README's table of examples")
    func examples() throws {
        let rows = try Readme().table(below: "### Examples")
        #expect(rows.count >= 15)
        for row in rows {
            try #require(row.count == 3, "\(row)")
            let patterns = row[0].split(separator: "` `").map(String.init)
            #expect(outcome(patterns, row[1]) == row[2], "\(row)")
        }
    }

    @Test("Every Swift block in the README of Routes is quoted exactly from the file that the block names")
    func code() throws {
        let readme = try Readme()
        #expect(readme.blocks(in: "swift").count == 4)
        #expect(readme.strayCode().map(\.description) == [])
    }

    private func outcome(_ patterns: [String], _ url: String) -> String {
        let routes = Routes()
        for pattern in patterns {
            do {
                try routes.addRoute(pattern) { parameters in
                    let values = parameters.values.sorted { $0.key < $1.key }.map { key, value in
                        " \(key)="
                            + ((value as? [String]).map { "[\($0.joined(separator: ", "))]" } ?? "\(value)")
                    }
                    return .success(pattern + values.joined())
                }
            } catch {
                return error.position.map { "badPattern \($0)" } ?? "conflict"
            }
        }
        let result = routes.routeURL(url)
        guard let error = result.error else { return result.value as? String ?? "" }
        return switch error.reason {
        case .badParameter(let error): "badParameter \(error.key)"
        case .badURL(let error): "badURL \(error.position)"
        case .noMatch: "noMatch" + (error.similar.map { ", similar \($0)" } ?? "")
        default: "\(error.reason)"
        }
    }
}
