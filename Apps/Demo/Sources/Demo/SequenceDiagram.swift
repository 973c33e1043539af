/// The day as a Mermaid sequence diagram (https://mermaid.js.org).
///
/// The participants are the app and its modules. Routes, Mediator and Notifications are participants too,
/// because a call through one of them does not reveal its caller. Refusals are shown as notes.
struct SequenceDiagram: CustomStringConvertible {
    private let steps: [Diary.Step]

    init(_ steps: [Diary.Step]) {
        self.steps = steps
    }

    var description: String {
        let calls = steps.flatMap(\.calls)
        var names = ["Demo"]
        for name in calls.flatMap({ [$0.source, $0.participant] }) where !names.contains(name) {
            names.append(name)
        }
        let last = names.count > 1 ? ",\(names[names.count - 1])" : ""
        var lines = ["sequenceDiagram"] + names.map { "    participant \($0)" }
        for (number, step) in steps.enumerated() {
            lines.append("    Note over Demo\(last): \(number + 1). \(Self.text(step.title))")
            lines += Self.runs(of: step.entries.flatMap(Self.lines)).map { "    \($0)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of entry: Diary.Entry) -> [String] {
        switch entry {
        case .call(let call): call.arrows
        case .failed(let call, let error): ["\(call.participant)--x\(call.source): \(text(error))"]
        case .refused(let why): ["Note over Demo: Refused. \(text(why))"]
        case .told, .step: []
        }
    }

    /// Collapses each run of equal lines into one line with a count.
    private static func runs(of lines: [String]) -> [String] {
        lines.reduce(into: [(line: String, count: Int)]()) { runs, line in
            if runs.last?.line == line {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((line, 1))
            }
        }.map { $0.count == 1 ? $0.line : "\($0.line) (x\($0.count))" }
    }

    /// Escapes Mermaid's special characters in a string and wraps the text into short lines.
    static func text(_ text: String) -> String {
        text.withoutControlCharacters.wrapped(at: 36).map { line in
            line.unicodeScalars.reduce(into: "") { result, scalar in
                result += "#;<>&\"`".unicodeScalars.contains(scalar) ? "#\(scalar.value);" : String(scalar)
            }
        }.joined(separator: "<br/>")
    }
}

extension Diary.Call {
    /// The participant at the start of the arrow.
    fileprivate var source: String {
        switch way {
        case .api: caller ?? "Demo"
        case .route: "Routes"
        case .action: "Mediator"
        case .notification: callee
        }
    }

    /// The participant at the end of the arrow. The name of a remote module contains its address, whose characters
    /// `:` and `,` would end a Mermaid name.
    fileprivate var participant: String {
        callee.replacing(":", with: "#58;").replacing(",", with: "#44;")
    }

    fileprivate var arrows: [String] {
        let text = SequenceDiagram.text(name)
        guard !isAbsent else { return ["\(source)-x\(participant): \(text) (absent)"] }
        return ["\(source)->>\(participant): \(text)"]
    }
}
