import AppModules
import Demo
import Launch
import Pages

/// The result of opening a URL from outside the app.
struct Opened: Encodable {
    let url: String
    /// The returned value as text; nil when the handler returned nothing or the URL was refused.
    let value: String?
    /// The reason for a refusal, by the app or by the called module; nil on success.
    let error: String?

    init(_ url: String, _ link: OpenedLink, in app: LaunchedApp) async {
        self.url = url
        do {
            let value = try await link.value
            self.value = if let page = value as? any Page { await page.text() } else { value.map(Self.text) }
            error = nil
        } catch {
            value = nil
            self.error = OpeningRefused(url: url, error: error, app: app).description
        }
    }

    /// Formats a list as one line per element.
    private static func text(_ value: any Sendable) -> String {
        switch value {
        case let lines as [String]: lines.joined(separator: "\n")
        default: String(describing: value)
        }
    }
}
