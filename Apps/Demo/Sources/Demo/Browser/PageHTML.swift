import Pages

/// The HTML of the app in the browser. It works without scripts.
struct PageHTML {
    let screen: PageVisits.Screen
    /// The pages of the navigation bar.
    let tabs: [PageRow]
    /// The HTML of the panel beside the app.
    let panel: String

    var document: String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>\(screen.title.escaped) - Metro</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <link rel="icon" href="data:,"><link rel="stylesheet" href="/app.css"><script src="/app.js" defer></script></head>
        <body><a class="skip" href="#page">Skip to the page</a>
        <p class="stopped" role="alert" hidden>The app does not answer. If it has stopped, start it with “swift run Shell app”, \
        and reload this page.</p>
        <div class="phone"><header class="bar">\(back)<span>Metro</span><a href="/\(TryPage.route)">Try it</a>\
        <a class="peek" href="#live">What happened</a></header>
        <main id="page"><h1>\(screen.title.escaped)</h1>\(notices)\(absences)\(parts)</main>
        <nav aria-label="Pages">\(tabs.map(tab).joined())</nav></div>
        \(panel)</body></html>
        """
    }

    private var notices: String {
        let message =
            screen.outcome.message.map { "<p class=\"message\" role=\"status\">\($0.escaped)</p>" } ?? ""
        guard let failure = screen.outcome.failure else { return message }
        // A failure that is about a field stands at the field.
        let isAtField = screen.contents.contains {
            if case .field(let field) = $0 { field.name == failure.field } else { false }
        }
        return message + (isAtField ? "" : html(ofFailure: failure.sentence))
            + list(failure.wayOut.map { [$0] } ?? [])
    }

    /// The modules that are missing, with those that noticed it.
    private var absences: String {
        screen.absences.map { absence in
            let callers = absence.callers.map { PanelColumns.title(of: $0.name).escaped }
            return """
                <p class="missing" role="note">The module <b>\(absence.module.escaped)</b> is missing: \
                \(callers.joined(separator: " and ")) asked for it in vain. \
                <a href="/\(TryPage.route)">See “Try it”</a></p>
                """
        }.joined()
    }

    /// The contents. Fields are collected into the form of the button that follows them.
    private var parts: String {
        var fields = ""
        var isFirst = true
        return screen.contents.reduce(into: "") { html, content in
            switch content {
            case .text(let text): html += "<p>\(text.escaped)</p>"
            case .rows(let rows): html += list(rows)
            case .field(let field): fields += self.html(of: field)
            case .code(let code, let caption):
                let qr = QRCode(code)?.html(label: "\(caption), as a QR code") ?? ""
                html += """
                    <p class="code">\(qr)<span><output>\(code.escaped)</output>\(caption.escaped)</span></p>
                    """
            case .file(let file): html += self.html(of: file)
            case .button(let button):
                let tap = "<button class=\"\(isFirst ? "main" : "second")\">\(button.title.escaped)</button>"
                isFirst = false
                html += form(fields + tap, [FormName.action: button.action])
                fields = ""
            }
        }
    }

    private func form(_ content: String, _ values: [String: String]) -> String {
        let hidden = values.merging([FormName.token: screen.token]) { $1 }.map {
            "<input type=\"hidden\" name=\"\($0)\" value=\"\($1.escaped)\">"
        }
        return
            "<form method=\"post\" action=\"\(screen.outcome.address.target().escaped)\">\(hidden.joined())\(content)</form>"
    }

    private func list(_ rows: [PageRow]) -> String {
        rows.isEmpty ? "" : "<ul class=\"rows\">\(rows.map { "<li>\(row($0))</li>" }.joined())</ul>"
    }

    private func row(_ row: PageRow) -> String {
        let text = "<span>\(row.title.escaped)<small>\(row.detail.escaped)</small></span>"
        let current = row.isSelected ? " aria-current=\"true\"" : ""
        return switch row.target {
        case .address(let address): "<a href=\"\(address.target().escaped)\"\(current)>\(text)</a>"
        case .web(let url) where SampleWeb(url: url) != nil: SampleWeb(url: url).map(html(of:)) ?? ""
        case .web(let url) where url.hasPrefix("https://"):
            "<a href=\"\(url.escaped)\" target=\"_blank\" rel=\"noopener noreferrer\">\(text)</a>"
        case .none, .web: "<div\(current)>\(text)</div>"
        case .action(let action, let id):
            form("<button\(current)>\(text)</button>", [FormName.action: action, FormName.row: id])
        }
    }

    private func tab(_ row: PageRow) -> String {
        guard case .address(let address) = row.target else { return "" }
        let current = address == screen.outcome.address ? " aria-current=\"page\"" : ""
        return """
            <a href="\(address.target().escaped)"\(current)>\(TabIcon.html(for: row))<span>\(row.title.escaped)</span></a>
            """
    }

    /// The way back from a page that is no tab.
    private var back: String {
        let (address, back) = (screen.outcome.address, screen.outcome.back)
        guard !tabs.contains(where: { $0.target == .address(address) }) else { return "" }
        let target = back == address ? .first : back
        return "<a class=\"back\" href=\"\(target.target().escaped)\">Back</a>"
    }
}

extension String {
    /// The text with the special characters of HTML replaced, also where a combining mark follows one: Swift takes the two
    /// for one character, and HTML does not. Control characters, which would end a line of an event, become visible.
    var escaped: String {
        withoutControlCharacters.unicodeScalars.reduce(into: "") { html, scalar in
            html += "&<>\"'".unicodeScalars.contains(scalar) ? "&#\(scalar.value);" : String(scalar)
        }
    }
}
