import Foundation
import Testing

@Suite("The list of changes that change nothing")
struct EquivalentTests {
    @Test("Each line names a line that a file has, the changed line and a reason, and no change occurs twice")
    func lines() throws {
        var root = URL(filePath: #filePath)
        for _ in 1...5 { root.deleteLastPathComponent() }
        let list = try String(
            contentsOf: root.appending(path: "Scripts/Mutate/equivalent.txt"), encoding: .utf8)
        var (earlier, files) = (Set<String>(), [String: Set<String>]())
        for line in list.components(separatedBy: "\n") where !line.isEmpty {
            let entry = line.components(separatedBy: "  # ")
            #expect(earlier.insert(entry[0]).inserted, "delete the second: \(line)")
            let parts = entry[0].components(separatedBy: ": ")
            let path = parts[0]
            if files[path] == nil {
                let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
                files[path] = Set(
                    (text ?? "").components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                )
            }
            // Code may contain arrows, too.
            let halves = parts.dropFirst().joined(separator: ": ").components(separatedBy: " -> ")
            let isThere = (1..<max(2, halves.count)).contains {
                files[path]?.contains(halves.prefix($0).joined(separator: " -> ")) == true
            }
            #expect(entry.count == 2 && isThere, "no longer in \(path), or without a reason: \(line)")
        }
    }
}
