import Foundation
import Pages

extension PageHTML {
    /// A field with its label, and with the failure that is about it, which gets the focus.
    func html(of field: PageField) -> String {
        let failure = screen.outcome.failure.flatMap { $0.field == field.name ? $0.sentence : nil }
        let name =
            "name=\"\(field.name.escaped)\""
            + (failure == nil
                ? "" : " aria-invalid=\"true\" aria-describedby=\"\(Self.failureID)\" autofocus")
        let value = (screen.outcome.values[field.name] ?? field.value).escaped
        let input =
            switch field.kind {
            case .text: "<input \(name) value=\"\(value)\">"
            case .phone:
                "<input \(name) type=\"tel\" inputmode=\"tel\" autocomplete=\"username\" enterkeyhint=\"next\" value=\"\(value)\">"
            case .password:
                "<input \(name) type=\"password\" autocomplete=\"current-password\" enterkeyhint=\"go\">"
            case .box:
                "<input \(name) type=\"checkbox\" value=\"\(PageTap.on)\"\(value == PageTap.on ? " checked" : "")>"
            case .stop(let all):
                all.map { stop in
                    let isChosen = stop.escaped == value ? " checked" : ""
                    return """
                        <label><input \(name) type="radio" value="\(stop.escaped)"\(isChosen)>\(stop.escaped)</label>
                        """
                }.joined()
            case .choice(let all):
                "<select \(name)>"
                    + all.map { "<option\($0.escaped == value ? " selected" : "")>\($0.escaped)</option>" }
                    .joined()
                    + "</select>"
            }
        // The box stands before its label, as on a phone.
        if field.kind == .box {
            return
                "<label class=\"box\">\(input)\(field.label.escaped)</label>\(failure.map(html(ofFailure:)) ?? "")"
        }
        if case .stop = field.kind {
            return "<fieldset class=\"line\"><legend>\(field.label.escaped)</legend>\(input)</fieldset>"
                + (failure.map(html(ofFailure:)) ?? "")
        }
        return "<label>\(field.label.escaped)\(input)</label>\(failure.map(html(ofFailure:)) ?? "")"
    }

    /// The sentence of a failure.
    func html(ofFailure sentence: String) -> String {
        "<p class=\"failure\" role=\"alert\" id=\"\(Self.failureID)\">\(sentence.escaped)</p>"
    }

    private static let failureID = "failure"

    /// A link that saves a text. The whole file stands in its address, so that the page works without scripts.
    func html(of file: PageFile) -> String {
        let data = file.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return """
            <p><a class="main button" download="\(file.name.escaped)" href="data:text/plain;charset=utf-8,\(data)">\
            \(file.title.escaped)</a></p>
            """
    }

    /// A page of the sample's web.
    func html(of page: SampleWeb) -> String {
        let text = page.paragraphs.map { "<p>\($0.escaped)</p>" }.joined()
        return "<article class=\"web\"><h2>\(page.title.escaped)</h2>\(text)</article>"
    }
}
