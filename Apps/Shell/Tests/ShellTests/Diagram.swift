/// A sequence diagram, read by less than Mermaid's grammar: what this allows, Mermaid does.
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

    /// Whether a text has nothing that Mermaid or a page could take for more than text: `;` ends a statement, `#`
    /// begins an entity, `<` an element.
    private static func isPlain(_ text: Substring) -> Bool {
        !text.replacing(/#\d+;/, with: "").replacing("<br/>", with: " ").contains { "#;<>".contains($0) }
    }
}
