/// The sample day as text for an 80-column terminal: for each step, the messages to the passenger, followed by
/// the calls between modules.
struct DayReport {
    private let steps: [Diary.Step]
    private let style: TextReport.Style

    init(_ steps: [Diary.Step], style: TextReport.Style) {
        (self.steps, self.style) = (steps, style)
    }

    /// The lines of the report. Steps without entries are left out. A word longer than a line, such as a
    /// path, is not broken.
    var lines: [String] {
        steps.enumerated().filter { !$1.entries.isEmpty }.flatMap { number, step in
            [style.heading("  \(number + 1). \(step.title)")] + step.outcomes(style) + calls(of: step)
        }
    }

    /// Returns one line for each group of equal calls, with their number and their source locations.
    private func calls(of step: Diary.Step) -> [String] {
        var rows: [(what: String, count: Int, places: [String])] = []
        for call in step.calls {
            let what = call.what(isRefused: step.error(of: call) != nil)
            let row = rows.firstIndex { $0.what == what } ?? rows.endIndex
            if row == rows.endIndex { rows.append((what, 0, [])) }
            rows[row].count += 1
            if !rows[row].places.contains(call.place) { rows[row].places.append(call.place) }
        }
        let names = rows.map { $0.what + ($0.count > 1 ? " (x\($0.count))" : "") }
        let width = min(names.map(\.count).max() ?? 0, 42)
        return zip(rows, names).map { row, name in
            let gap = String(repeating: " ", count: max(0, width - name.count) + 2)
            return style.aside("      \(name)\(gap)\(Self.joined(row.places))")
        }
    }

    /// Joins `File.swift:3` and `File.swift:5` into `File.swift:3, 5`.
    private static func joined(_ places: [String]) -> String {
        var file = ""
        return places.map { place in
            let colon = place.lastIndex(of: ":").map(place.index(after:)) ?? place.startIndex
            defer { file = String(place[..<colon]) }
            return place[..<colon] == file ? String(place[colon...]) : place
        }.joined(separator: ", ")
    }
}

extension Diary.Step {
    fileprivate func outcomes(_ style: TextReport.Style) -> [String] {
        entries.flatMap { entry -> [String] in
            switch entry {
            case .told(let text): Self.paragraph(text)
            case .refused(let text): Self.paragraph("Refused. \(text)").map(style.alarm)
            case .call, .failed, .step: []
            }
        }
    }

    /// Wraps a string into lines with a hanging indent.
    private static func paragraph(_ text: String) -> [String] {
        text.withoutControlCharacters.wrapped(at: 72).enumerated().map {
            $0 == 0 ? "    \($1)" : "      \($1)"
        }
    }
}

extension Diary.Call {
    /// The caller and the Api, such as `Ride -> UserApi`, then the callee if it is not the Api's namesake `User`.
    func what(isRefused: Bool) -> String {
        let end = isAbsent ? " (absent)" : isRefused ? " (refused)" : ""
        return switch way {
        case .api: "\(caller ?? "?") -> \(name)\(callee + "Api" == name ? "" : ", \(callee)")\(end)"
        case .route, .action: "\(name) -> \(callee)\(end)"
        case .notification: name
        }
    }

    /// The file and line of the call, or, for a call without a call site, how the call was made.
    var place: String {
        switch way {
        case .api: site.map { "\($0.fileID.drop { $0 != "/" }.dropFirst()):\($0.line)" } ?? ""
        case .route: "by route"
        case .action: "by name"
        case .notification: "as a notification"
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
