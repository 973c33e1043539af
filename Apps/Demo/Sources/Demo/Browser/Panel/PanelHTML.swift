import Foundation

/// The panel beside the app: what happened during each tap, the newest first, as HTML that works without scripts. Each line is
/// a sentence; the arrow beside it only repeats who called whom.
struct PanelHTML {
    /// The number of taps that the panel shows.
    static let limit = 30

    let diary: Diary

    /// The whole panel.
    var panel: String {
        let (groups, version) = diary.changes(since: 0)
        let newest = groups.suffix(Self.limit).reversed()
        let taps = newest.enumerated().map { tap($1, isOpen: $0 == 0) }.joined()
        let legend = PanelColumns.Layer.allCases.map { "<span class=\"\($0)\">\($0.title)</span>" }
        return """
            <section class="live" id="live" aria-labelledby="live-title"><header><h2 id="live-title">What happened</h2>\
            <a class="close" href="#page">Close</a></header>\
            <p class="legend">Calls between \(legend.joined(separator: ", ")). All windows and browsers show the same app, and so \
            the same passenger.</p>\
            <div class="tools" hidden><label>Module <select><option value="">all</option></select></label>\
            <button type="button" class="pause" aria-pressed="false">Pause</button>\
            <button type="button" class="clear">Clear</button></div>\
            <div class="taps" tabindex="0" role="region" aria-label="Calls" data-version="\(version)" data-run="\(diary.run)">\
            \(taps)</div></section>
            """
    }

    /// A tap, in one line.
    func tap(_ group: TapGroup, isOpen: Bool) -> String {
        let columns = PanelColumns(of: group.calls)
        let lines = FoldedCall.lines(of: group.events)
        let names = columns.names.map {
            "<b class=\"\(PanelColumns.layer(of: $0))\">\(PanelColumns.title(of: $0).escaped)</b>"
        }
        let header = names.isEmpty ? "" : "<div class=\"names\" aria-hidden=\"true\">\(names.joined())</div>"
        let title = group.title.isEmpty ? "Open a page" : group.title
        return """
            <details class="tap" id="tap-\(group.number)" data-number="\(group.number)" style="--n:\(names.count)"\(isOpen ? " open" : "")>\
            <summary><b>\(title.escaped)</b><small>\(group.summary)</small></summary>\
            \(header)<ol>\(lines.map { line($0, columns) }.joined())</ol></details>
            """.replacing("\n", with: " ")
    }

    private func line(_ line: FoldedCall.Line, _ columns: PanelColumns) -> String {
        switch line {
        case .told(let text): "<li class=\"said\">\(text.escaped)</li>"
        case .refused(let text): "<li class=\"said bad\">\(text.escaped)</li>"
        case .call(let folded): self.line(folded, columns)
        }
    }

    private func line(_ folded: FoldedCall, _ columns: PanelColumns) -> String {
        let call = folded.call
        let isBad = call.isAbsent || call.error != nil
        let count = folded.count > 1 ? " <span class=\"count\">\(folded.count) times</span>" : ""
        let places = folded.places.map(place).joined(separator: ", ")
        return """
            <li class="call \(call.way)\(isBad ? " bad" : "")" data-modules="\(call.participants.joined(separator: " ").escaped)">\
            <div class="text" style="--d:\(min(folded.depth, 5))">\(call.sentence)\(count)\(end(of: folded))\
            <small class="place">\(places)</small></div>\(arrow(call, columns))</li>
            """
    }

    /// A place, which leads to its lines if the sources are there.
    private func place(_ call: ModuleCall) -> String {
        guard let target = SourcePage.target(of: call) else { return call.place.escaped }
        return "<a href=\"\(target.escaped)\" target=\"source\">\(call.place.escaped)</a>"
    }

    /// The value or the error, and the duration.
    private func end(of folded: FoldedCall) -> String {
        let call = folded.call
        let result =
            call.isAbsent
            ? "not in this app" : call.error.map { "error: \($0)" } ?? call.value.map { "→ \($0)" } ?? ""
        let time = folded.running > 0 ? "running" : folded.seconds?.asDuration ?? ""
        return (result.isEmpty ? "" : " <span class=\"end\">\(result.escaped)</span>")
            + (time.isEmpty ? "" : " <small class=\"time\">\(time)</small>")
    }

    private func arrow(_ call: ModuleCall, _ columns: PanelColumns) -> String {
        let callee = call.participants.contains(call.callee) ? columns.number(of: call.callee) : nil
        guard let to = callee ?? call.caller.flatMap(columns.number) else {
            return "<div class=\"lane\" aria-hidden=\"true\"></div>"
        }
        let from = call.caller.flatMap(columns.number) ?? to
        let direction = from < to ? "right" : from > to ? "left" : "dot"
        return """
            <div class="lane" aria-hidden="true"><i class="\(direction)" style="--a:\(min(from, to));--b:\(max(from, to))"></i></div>
            """
    }
}

extension ModuleCall {
    /// Who called whom for what, as HTML.
    fileprivate var sentence: String {
        func bold(_ name: String) -> String {
            "<b class=\"\(PanelColumns.layer(of: name))\">\(PanelColumns.title(of: name).escaped)</b>"
        }
        func code(_ text: String) -> String { "<code>\(text.escaped)</code>" }
        let (from, to) = (caller.map(bold) ?? "Somebody", bold(callee))
        let link = code([name, member].compactMap(\.self).joined(separator: " "))
        return switch way {
        case .api where member == nil: "\(from) looks up \(to)"
        case .api: "\(from) asks \(to) \(code(member ?? ""))"
        case .route: "\(from) opens \(link) of \(to)"
        case .action: "\(from) calls \(link) of \(to)"
        case .notification: "\(from) posts \(code(name))"
        case .request: "\(from) sends \(code(name)) to the \(to)"
        }
    }
}

extension TapGroup {
    /// The time of the tap, and the numbers of its calls and errors.
    fileprivate var summary: String {
        let time = Calendar.current.dateComponents([.hour, .minute, .second], from: began)
        let clock = [time.hour, time.minute, time.second].map { ($0 ?? 0).twoDigits }.joined(separator: ":")
        let requests = calls.count { $0.way == .request }
        let errors = calls.count { $0.isAbsent || $0.error != nil }
        let counts = [(calls.count - requests, "call"), (requests, "request"), (errors, "error")]
        return ([clock] + counts.filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" })
            .joined(separator: " · ")
    }
}

extension Int {
    fileprivate var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
