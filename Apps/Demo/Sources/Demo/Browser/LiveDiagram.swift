import Synchronization

/// The live view: a sequence diagram of the calls, as HTML. Its rows are a list that reads well without the drawing.
/// Thread-safe.
final class LiveDiagram: Sendable {
    /// The participants in the order of their first call. Each has a column.
    private let participants = Mutex(["Demo"])

    var names: [String] { participants.withLock { $0 } }

    /// The HTML of the whole diagram.
    ///
    /// - Parameters:
    ///   - entries: The entries to draw first.
    ///   - end: The position of the entries that follow, which the script asks for.
    func list(of entries: [Diary.Entry], end: Int) -> String {
        let rows = rows(of: entries)
        return """
            <ol class="calls" tabindex="0" aria-label="Calls" style="--n:\(names.count)" data-end="\(end)">\
            \(header)\(rows)</ol>
            """
    }

    /// The row with the names of the participants.
    var header: String {
        "<li class=\"names\" aria-hidden=\"true\">\(names.map { "<b>\($0.escaped)</b>" }.joined())</li>"
    }

    /// The rows of entries, in one line. New participants get columns.
    func rows(of entries: [Diary.Entry]) -> String {
        entries.map { entry in
            switch entry {
            case .step(let text), .visit(let text): "<li class=\"step\"><span>\(text.escaped)</span></li>"
            case .told(let text): "<li class=\"said\"><span>\(text.escaped)</span></li>"
            case .refused(let text): "<li class=\"said bad\"><span>\(text.escaped)</span></li>"
            case .call(let call) where call.isAbsent:
                arrow(call, call.caller, call.callee, "absent", "\(call.name) (not in this app)")
            case .call(let call): arrow(call, call.caller, call.callee, call.way.rawValue, call.name)
            case .failed(let call, let error): arrow(call, call.callee, call.caller, "absent", error)
            }
        }.joined().replacing("\n", with: " ")
    }

    private func arrow(
        _ call: Diary.Call, _ from: String?, _ to: String?, _ kind: String, _ text: String
    ) -> String {
        // A notification does not reveal its poster.
        let (from, to) = (from ?? call.callee, to ?? call.callee)
        let (start, end) = (column(of: from), column(of: to))
        let direction = start < end ? "right" : start > end ? "left" : "self"
        return """
            <li class="\(kind) \(direction)" style="--a:\(min(start, end));--w:\(abs(start - end) + 1)"><span class="arrow">\
            <span class="who">\(from.escaped) to \(to.escaped): </span><code>\(text.escaped)</code> \
            <small>\(call.place.escaped)</small></span></li>
            """
    }

    private func column(of name: String) -> Int {
        participants.withLock { names in
            if let index = names.firstIndex(of: name) { return index + 1 }
            names.append(name)
            return names.count
        }
    }
}
