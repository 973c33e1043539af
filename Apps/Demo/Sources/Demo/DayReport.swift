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

    /// Returns one line for each group of equal calls, with their number, as the panel in the browser does. Calls during a call
    /// are indented. A line is cut at the width of the terminal; `--json` contains everything, and the places.
    private func calls(of step: PlayedDay.Step) -> [String] {
        let folded = FoldedCall.lines(of: step.calls.map(TapGroup.Event.call)).compactMap {
            if case .call(let folded) = $0 { folded } else { nil }
        }
        let names = folded.map { folded in
            let indent = String(repeating: " ", count: 2 * min(folded.depth, 3))
            return indent + folded.call.what + (folded.count > 1 ? " (x\(folded.count))" : "")
        }
        let width = min(names.map(\.count).max() ?? 0, 42)
        return zip(folded, names).map { folded, name in
            let gap = String(repeating: " ", count: max(0, width - name.count) + 2)
            let line = "      \(name)\(gap)\(folded.call.answer)".withoutControlCharacters
            // A name that is as long as a line, such as that of a remote module, is not cut.
            let limit = max(80, name.count + 6)
            let text = line.count > limit ? line.prefix(limit - 1) + "…" : line
            let isBad = folded.call.error != nil || folded.call.isAbsent
            return isBad ? style.alarm(text) : style.aside(text)
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

    /// What was asked for, and the answer. For a look-up, the place instead.
    fileprivate var answer: String {
        let how: String? =
            switch way {
            case .api: member ?? place
            case .route: "by route"
            case .action: "by name"
            case .notification: "as a notification"
            case .request: nil
            }
        return [how, error ?? value].compactMap(\.self).joined(separator: way == .api ? " = " : ": ")
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
