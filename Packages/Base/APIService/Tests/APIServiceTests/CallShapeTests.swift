import Foundation
import TestSupport
import Testing

/// The steps and files that the article about the life of a request lists.
@Suite("The way of a request")
struct CallShapeTests {
    private static let article = "Sources/APIService/APIService.docc/LifeOfARequest.md"

    /// The code of all source files, without comments, by the files' names.
    private let code: [String: String]
    private let steps, ways: [[String]]

    init() throws {
        let root = try Readme().root
        var code: [String: String] = [:]
        let files = FileManager.default.enumerator(
            at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            code[file.deletingPathExtension().lastPathComponent] =
                lines.filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }.joined(
                    separator: "\n")
        }
        self.code = code
        let lines = try String(contentsOf: root.appending(path: Self.article), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        func rows(below header: String) -> [[String]] {
            lines.drop { !$0.hasPrefix(header) }.dropFirst(2).prefix { $0.hasPrefix("|") }
                .map { line in line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        }
        (steps, ways) = (rows(below: "| Step |"), rows(below: "| Path |"))
    }

    /// Returns the names that a cell contains in backticks.
    private static func names(_ cell: String) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    @Test("Every listed file exists: at most 9 for a memory hit and 14 for a request")
    func files() throws {
        #expect(ways.map(\.count) == [2, 2] && ways.map { $0[0] } == ["memory hit", "request"])
        for (way, limit) in zip(ways, [9, 14]) {
            let files = Self.names(way[1])
            #expect((7...limit).contains(files.count), "\(way[0]): \(files.count)")
            #expect(Set(files).count == files.count)
            for file in files { #expect(code[file] != nil, "\(file).swift does not exist") }
        }
    }

    @Test("Each step is declared in its file, and no step names an earlier one")
    func order() throws {
        #expect(steps.count == 8)
        var earlier: [String] = []
        for step in steps {
            let method = try #require(Self.names(step[1]).first)
            for file in Self.names(step[2]) {
                let code = try #require(code[file], "\(file).swift does not exist")
                let isDeclared = try code.contains(Regex("func \(method)[<(]"))
                #expect(isDeclared, "\(file) does not declare \(method)")
                for other in earlier {
                    let isNamed = try code.contains(Regex("\\b\(other)\\("))
                    #expect(!isNamed, "\(file) names \(other)")
                }
            }
            earlier.append(method)
        }
    }
}
