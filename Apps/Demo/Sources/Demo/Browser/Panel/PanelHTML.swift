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
        let newest = groups.filter(\.isShown).suffix(Self.limit).reversed()
        let taps = newest.enumerated().map { tap($1, isOpen: $0 == 0) }.joined()
        return """
            <section class="live" id="live" aria-labelledby="live-title"><header><h2 id="live-title">What happened</h2>\
            <a class="close" href="#page">Close</a></header>\
            <p class="legend">For each tap: which module asked which other one for what. All windows and browsers show the same \
            app, and so the same passenger.</p>\(Self.keys)\
            <div class="tools" hidden><label>Module <select><option value="">all</option></select></label>\
            <button type="button" class="pause" aria-pressed="false">Pause</button>\
            <button type="button" class="clear">Clear</button></div>\
            <div class="taps" tabindex="0" role="region" aria-label="Calls" data-version="\(version)" data-run="\(diary.run)">\
            \(taps)</div></section>
            """
    }

    /// The colours of the layers, and the kinds of arrows.
    private static let keys: String = {
        let layers = PanelColumns.Layer.allCases.map { "<span class=\"\($0)\">\($0.title)</span>" }
        let arrows = [
            ("api", "right", "asks"), ("route", "right", "opens a page, calls an action"),
            ("request", "right", "sends to the server"), ("notification", "dot", "posts a notification"),
            ("bad", "right", "fails"),
        ].map { "<span class=\"\($0)\"><i class=\"arrow \($1)\"></i> \($2)</span>" }
        return """
            <p class="legend keys">\(layers.joined())</p><p class="legend keys arrows" aria-hidden="true">\(arrows.joined())</p>
            """
    }()

    /// A tap, in one line.
    func tap(_ group: TapGroup, isOpen: Bool) -> String {
        let columns = PanelColumns(of: group.calls)
        let lines = FoldedCall.lines(of: group.events)
        let names = columns.names.map {
            "<b class=\"\(PanelColumns.layer(of: $0))\">\(PanelColumns.title(of: $0).escaped)</b>"
        }
        let widths = columns.widths.map(rem).joined(separator: " ")
        let header = """
            <div class="names" style="grid-template-columns:\(widths)" aria-hidden="true">\(names.joined())</div>
            """
        let size = columns.width > 36 ? " large" : columns.width > 30 ? " middle" : ""
        let title = group.title.isEmpty ? "Open a page" : group.title
        return """
            <details class="tap\(size)" id="tap-\(group.number)" data-number="\(group.number)" \
            style="--lanes:\(rem(columns.width))"\(isOpen ? " open" : "")>\
            <summary><b>\(title.escaped)</b>\(group.summary)</summary>\
            <div class="chart">\(names.isEmpty ? "" : header)<ol>\(lines.map { line($0, columns) }.joined())</ol></div></details>
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
        let time = folded.running > 0 ? "running" : folded.seconds?.asDuration
        let details =
            [call.code.map { "<code>\($0.escaped)</code>" }] + folded.places.map(place) + [time?.escaped]
        return """
            <li class="call \(call.way)\(isBad ? " bad" : "")" data-modules="\(call.participants.joined(separator: " ").escaped)">\
            <div class="text" style="--d:\(min(folded.depth, 5))">\(call.sentence)\(count)\(end(of: call)) \
            <small class="place">\(details.compactMap(\.self).joined(separator: " · "))</small></div>\
            \(arrow(call, columns))</li>
            """
    }

    /// A place, which leads to its lines if the sources are there.
    private func place(_ call: ModuleCall) -> String {
        guard let target = SourcePage.target(of: call) else { return call.place.escaped }
        return "<a href=\"\(target.escaped)\" target=\"source\">\(call.place.escaped)</a>"
    }

    /// The value or the error.
    private func end(of call: ModuleCall) -> String {
        let result = call.isAbsent ? "not in this app" : call.error.map { "error: \($0)" } ?? call.value
        return result.map { " <span class=\"end\">→ \($0.escaped)</span>" } ?? ""
    }

    private func arrow(_ call: ModuleCall, _ columns: PanelColumns) -> String {
        let callee = call.participants.contains(call.callee) ? columns.middle(of: call.callee) : nil
        guard let to = callee ?? call.caller.flatMap(columns.middle) else {
            return "<div class=\"lane\" aria-hidden=\"true\"></div>"
        }
        let from = call.caller.flatMap(columns.middle) ?? to
        let direction = from < to ? "right" : from > to ? "left" : "dot"
        return """
            <div class="lane" aria-hidden="true"><i class="arrow \(direction)" style="left:\(rem(min(from, to)));\
            width:\(rem(abs(to - from)))"></i></div>
            """
    }

    /// A length of CSS.
    private func rem(_ length: Double) -> String { "\((length * 100).rounded() / 100)rem" }
}

extension ModuleCall {
    /// Who called whom for what, as HTML.
    fileprivate var sentence: String {
        func bold(_ name: String) -> String {
            "<b class=\"\(PanelColumns.layer(of: name))\">\(PanelColumns.title(of: name).escaped)</b>"
        }
        let (from, to) = (caller.map(bold) ?? "Somebody", bold(callee))
        return switch way {
        case .api where member == nil: "\(from) looks up \(to)"
        case .api: "\(from) asks \(to) \(words ?? "for something")"
        case .route: "\(from) opens a page of \(to)"
        case .action: "\(from) calls an action of \(to)"
        case .notification: "\(from) posts a notification"
        case .request: "\(from) sends <code>\(name.escaped)</code> to the \(to)"
        }
    }

    /// What the code calls it; nil if the sentence says it.
    fileprivate var code: String? {
        switch way {
        case .api: member ?? name
        case .route, .action: [name, member].compactMap(\.self).joined(separator: " ")
        case .notification: name
        case .request: nil
        }
    }
}

extension TapGroup {
    /// Whether anything happened during the tap. Some pages of the sample call no module.
    var isShown: Bool { !events.isEmpty }

    /// The time of the tap, and the numbers of its calls and errors, as HTML.
    fileprivate var summary: String {
        let time = Calendar.current.dateComponents([.hour, .minute, .second], from: began)
        let clock = [time.hour, time.minute, time.second].map { ($0 ?? 0).twoDigits }.joined(separator: ":")
        let requests = calls.count { $0.way == .request }
        let errors = calls.count { $0.isAbsent || $0.error != nil }
        let counts = [(calls.count - requests, "call"), (requests, "request")].filter { $0.0 > 0 }
        let texts = ([clock] + counts.map { $0.0.counted($0.1) }).joined(separator: " · ")
        let alarm = errors > 0 ? "<span class=\"errors\">\(errors.counted("error"))</span>" : ""
        return "<small>\(texts)</small>\(alarm)"
    }
}

extension Int {
    fileprivate var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
