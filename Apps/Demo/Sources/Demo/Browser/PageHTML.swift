import Pages

/// The HTML of the app in the browser. It works without scripts.
struct PageHTML {
    let screen: PageVisits.Screen
    /// The location that the forms are posted to.
    let location: PageLocation
    /// The pages of the navigation bar.
    let tabs: [PageRow]
    /// The HTML of the live view.
    let calls: String

    var document: String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>\(screen.title.escaped) - Metro</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="/app.svg"><link rel="stylesheet" href="/app.css">
        <script src="/app.js" defer></script></head>
        <body><a class="skip" href="#page">Skip to the page</a>
        <div class="phone"><header><p>Metro</p></header>
        <main id="page"><h1>\(screen.title.escaped)</h1>\(notices)\(parts)</main>
        <nav aria-label="Pages">\(tabs.map(tab).joined())</nav></div>
        <section class="live" aria-labelledby="calls-title"><h2 id="calls-title">Calls between the modules</h2>
        <p class="hint">Each arrow is a call, with the file and line of the caller. It is drawn when the call is made.</p>
        \(calls)</section></body></html>
        """
    }

    private var notices: String {
        let message = screen.message.map { "<p class=\"message\" role=\"status\">\($0.escaped)</p>" } ?? ""
        guard let failure = screen.failure else { return message }
        let wayOut = failure.wayOut.map { "<ul class=\"rows\">\(row($0))</ul>" } ?? ""
        return message
            + "<p class=\"failure\" role=\"alert\" id=\"failure\">\(failure.sentence(on: screen.contents).escaped)</p>\(wayOut)"
    }

    /// The contents. Fields are collected into the form of the button that follows them.
    private var parts: String {
        var fields = ""
        return screen.contents.reduce(into: "") { html, content in
            switch content {
            case .text(let text): html += "<p>\(text.escaped)</p>"
            case .rows(let rows): html += "<ul class=\"rows\">\(rows.map(row).joined())</ul>"
            case .field(let field): fields += self.field(field)
            case .code(let code, let caption):
                html +=
                    "<figure><output>\(code.escaped)</output><figcaption>\(caption.escaped)</figcaption></figure>"
            case .button(let button):
                html += form(
                    fields + "<button class=\"main\">\(button.title.escaped)</button>", button.action)
                fields = ""
            }
        }
    }

    private func form(_ content: String, _ action: String, row: String? = nil) -> String {
        let values =
            [(FormName.token, screen.token), (FormName.action, action)]
            + (row.map { [(FormName.row, $0)] } ?? [])
        let hidden = values.map { "<input type=\"hidden\" name=\"\($0)\" value=\"\($1.escaped)\">" }.joined()
        return "<form method=\"post\" action=\"\(location.target.escaped)\">\(hidden)\(content)</form>"
    }

    private func row(_ row: PageRow) -> String {
        let detail = row.detail.isEmpty ? "" : "<small>\(row.detail.escaped)</small>"
        let text = "<span>\(row.title.escaped)\(detail)</span>"
        let current = row.isSelected ? " aria-current=\"true\"" : ""
        let content =
            switch row.target {
            case .none: "<div\(current)>\(text)</div>"
            case .address(let address):
                "<a href=\"\(PageLocation(address).target.escaped)\"\(current)>\(text)</a>"
            case .web(let url) where url.hasPrefix("https://"):
                "<a href=\"\(url.escaped)\" target=\"_blank\" rel=\"noopener noreferrer\">\(text)</a>"
            case .web: "<div>\(text)</div>"
            case .action(let action, let id): form("<button\(current)>\(text)</button>", action, row: id)
            }
        return "<li>\(content)</li>"
    }

    private func tab(_ tab: PageRow) -> String {
        guard case .address(let address) = tab.target else { return "" }
        let current = address.route == location.address.route ? " aria-current=\"page\"" : ""
        return "<a href=\"\(PageLocation(address).target.escaped)\"\(current)>\(tab.title.escaped)</a>"
    }

    private func field(_ field: PageField) -> String {
        let id = "field-\(field.name.escaped)"
        let error =
            screen.failure?.field == field.name ? " aria-invalid=\"true\" aria-describedby=\"failure\"" : ""
        let value = (screen.values[field.name] ?? field.value).escaped
        let attributes = "id=\"\(id)\" name=\"\(field.name.escaped)\"\(error)"
        let label = "<label for=\"\(id)\">\(field.label.escaped)</label>"
        switch field.kind {
        case .text: return "\(label)<input \(attributes) value=\"\(value)\">"
        case .phone:
            return "\(label)<input \(attributes) type=\"tel\" autocomplete=\"tel\" value=\"\(value)\">"
        case .password:
            return "\(label)<input \(attributes) type=\"password\" autocomplete=\"current-password\">"
        case .box:
            let checked = value == PageTap.on ? " checked" : ""
            return
                "<div class=\"box\"><input \(attributes) type=\"checkbox\" value=\"\(PageTap.on)\"\(checked)>\(label)</div>"
        case .choice(let choices):
            let options = choices.map {
                "<option\($0.escaped == value ? " selected" : "")>\($0.escaped)</option>"
            }
            return "\(label)<select \(attributes)>\(options.joined())</select>"
        }
    }
}

extension String {
    /// The text with the special characters of HTML replaced, also where a combining mark follows one: Swift takes the two
    /// for one character, and HTML does not. Control characters, which would end a line of an event, become visible.
    var escaped: String {
        withoutControlCharacters.unicodeScalars.reduce(into: "") { html, scalar in
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            default: html.unicodeScalars.append(scalar)
            }
        }
    }
}
