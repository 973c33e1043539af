/// A parser for a strict subset of Mermaid's sequence diagrams. Mermaid accepts every diagram that this parser
/// accepts.
struct Diagram {
    struct Fault: Error {
        let line: String
    }

    private(set) var participants: [String] = []
    private(set) var arrows: [(from: String, to: String, text: String)] = []
    private(set) var notes: [String] = []

    init(_ text: String) throws {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.removeFirst() == "sequenceDiagram", lines.popLast() == "" else { throw Fault(line: text) }
        for line in lines {
            if let match = line.wholeMatch(of: #/    participant ([A-Za-z]\w*)/#) {
                participants.append(String(match.1))
            } else if let match = line.wholeMatch(of: #/    (\w+)(?:->>|-x|--x)(\w+): (.+)/#) {
                guard participants.contains(String(match.1)), participants.contains(String(match.2)),
                    Self.isPlain(match.3)
                else { throw Fault(line: line) }
                arrows.append((String(match.1), String(match.2), String(match.3)))
            } else if let match = line.wholeMatch(of: #/    Note over (\w+)(?:,(\w+))?: (.+)/#) {
                let ends = [String(match.1), String(match.2 ?? match.1)]
                guard ends.allSatisfy(participants.contains), Self.isPlain(match.3) else {
                    throw Fault(line: line)
                }
                notes.append(String(match.3))
            } else {
                throw Fault(line: line)
            }
        }
    }

    /// Whether a string contains no characters that are special in Mermaid or HTML: `;` ends a statement, `#`
    /// starts an entity, and `<` starts an element.
    private static func isPlain(_ text: Substring) -> Bool {
        !text.replacing(/#\d+;/, with: "").replacing("<br/>", with: " ").contains { "#;<>".contains($0) }
    }
}
