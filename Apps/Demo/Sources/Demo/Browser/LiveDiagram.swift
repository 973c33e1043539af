/// The live view: a sequence diagram of the calls, as HTML. Its rows are a list that reads well without the drawing.
struct LiveDiagram {
    /// The participants in the order of their first call. Each has a column.
    private(set) var names = ["Browser"]

    /// The HTML of the whole diagram.
    ///
    /// - Parameters:
    ///   - entries: The entries to draw first.
    ///   - source: The URL of the stream with the following entries.
    mutating func list(of entries: [Diary.Entry], source: String) -> String {
        let rows = rows(of: entries)
        return """
            <ol class="calls" tabindex="0" aria-label="Calls" style="--n:\(names.count)" data-source="\(source.escaped)">\
            \(header)\(rows)</ol>
            """
    }

    /// The row with the names of the participants.
    var header: String {
        // A column is narrow, so a name may break before its words.
        let cells = names.map { name in
            "<b>\(name.escaped.replacing(/(\w)([A-Z][a-z])/) { "\($0.1)<wbr>\($0.2)" })</b>"
        }.joined()
        return "<li class=\"names\" aria-hidden=\"true\">\(cells)</li>"
    }

    /// The rows of entries. New participants get columns.
    mutating func rows(of entries: [Diary.Entry]) -> String {
        entries.map { row(of: $0) }.joined()
    }

    private mutating func row(of entry: Diary.Entry) -> String {
        switch entry {
        case .step(let title): "<li class=\"step\"><span>\(title.escaped)</span></li>"
        case .told(let text): "<li class=\"said\"><span>\(text.escaped)</span></li>"
        case .refused(let why): "<li class=\"said bad\"><span>\(why.escaped)</span></li>"
        case .call(let call):
            arrow(call, from: call.source, to: call.callee, call.isAbsent ? "absent" : call.way.rawValue)
        case .failed(let call, let why): arrow(call, from: call.callee, to: call.source, "absent", why)
        }
    }

    private mutating func arrow(
        _ call: Diary.Call, from: String, to: String, _ kind: String, _ error: String? = nil
    ) -> String {
        let (start, end) = (column(of: from), column(of: to))
        let site = call.site.map { "\($0.fileID.split(separator: "/").last ?? ""):\($0.line)" } ?? ""
        let name = error ?? call.name + (call.isAbsent ? " (not in this app)" : "")
        let direction = start < end ? "right" : start > end ? "left" : "self"
        return """
            <li class="\(kind) \(direction)" style="--a:\(min(start, end));--w:\(abs(start - end) + 1)"><span class="arrow">\
            <span class="who">\(from.escaped) to \(to.escaped): </span><code>\(name.escaped)</code> \
            <small>\(site.escaped)</small></span></li>
            """
    }

    private mutating func column(of name: String) -> Int {
        if let index = names.firstIndex(of: name) { return index + 1 }
        names.append(name)
        return names.count
    }
}

extension Diary.Call {
    /// The participant at the start of the arrow. The app itself makes the calls of the browser.
    fileprivate var source: String {
        switch caller {
        case nil: callee
        case "Demo", "Shell": "Browser"
        case let module?: module
        }
    }
}
