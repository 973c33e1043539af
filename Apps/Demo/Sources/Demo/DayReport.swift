/// The sample day as text for an 80-column terminal: for each step, the messages to the passenger, followed by
/// the calls between modules.
struct DayReport {
    private let steps: [PlayedDay.Step]
    private let style: TextReport.Style

    init(_ steps: [PlayedDay.Step], style: TextReport.Style) {
        (self.steps, self.style) = (steps, style)
    }

    /// The lines of the report. Steps without messages and calls are left out. A word longer than a line, such as a
    /// path, is not broken.
    var lines: [String] {
        steps.enumerated().filter { !$1.outcomes.isEmpty || !$1.calls.isEmpty }.flatMap { number, step in
            [style.heading("  \(number + 1). \(step.title)")]
                + step.outcomes.flatMap {
                    $0.isRefusal
                        ? Self.paragraph("Refused. \($0.text)").map(style.alarm) : Self.paragraph($0.text)
                } + calls(of: step)
        }
    }

    /// Wraps a string into lines with a hanging indent.
    private static func paragraph(_ text: String) -> [String] {
        text.withoutControlCharacters.wrapped(at: 72).enumerated().map {
            $0 == 0 ? "    \($1)" : "      \($1)"
        }
    }

    /// Returns one line for each group of equal calls, with their number.
    private func calls(of step: PlayedDay.Step) -> [String] {
        var rows: [(what: String, place: String, count: Int)] = []
        for call in step.calls {
            if let row = rows.firstIndex(where: { ($0.what, $0.place) == (call.what, call.manner) }) {
                rows[row].count += 1
            } else {
                rows.append((call.what, call.manner, 1))
            }
        }
        let names = rows.map { $0.what + ($0.count > 1 ? " (x\($0.count))" : "") }
        let width = min(names.map(\.count).max() ?? 0, 42)
        return zip(rows, names).map { row, name in
            let gap = String(repeating: " ", count: max(0, width - name.count) + 2)
            return style.aside("      \(name)\(gap)\(row.place)")
        }
    }
}

extension ModuleCall {
    /// The caller and the Api, such as `Ride -> UserApi`, then the callee if it is not the Api's namesake `User`.
    fileprivate var what: String {
        let end = isAbsent ? " (absent)" : error == nil ? "" : " (refused)"
        return switch way {
        case .api: "\(caller ?? "?") -> \(name)\(callee + "Api" == name ? "" : ", \(callee)")\(end)"
        case .route, .action: "\(name) -> \(callee)\(end)"
        case .notification: name
        case .request: "\(caller ?? "?") -> \(callee) \(name)\(end)"
        }
    }

    /// The place of the call of an Api, or how another call was made.
    fileprivate var manner: String {
        switch way {
        case .api: place
        case .route: "by route"
        case .action: "by name"
        case .notification: "as a notification"
        case .request: "by request"
        }
    }
}

extension String {
    /// Wraps the text at word boundaries into lines of at most `width` characters. Longer words are not
    /// broken.
    public func wrapped(at width: Int) -> [String] {
        split(separator: "\n").flatMap { line in
            line.split(separator: " ").reduce(into: [String]()) { lines, word in
                if let last = lines.last, last.count + 1 + word.count <= width {
                    lines[lines.count - 1] += " \(word)"
                } else {
                    lines.append(String(word))
                }
            }
        }
    }
}
