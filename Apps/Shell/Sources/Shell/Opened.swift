import Foundation
import Routes

/// What came of a URL from outside.
struct Opened: Encodable {
    let url: String
    /// What the route answered, as text; nil when it answered nothing, or was not called.
    let value: String?
    /// Why it was not called.
    let error: String?

    init(url: String, result: RouteResult) {
        self.url = url
        value = result.value.map { String(describing: $0) }
        error = result.error.map { String(describing: $0) }
    }

    var json: String {
        get throws { try JSONReport.text(of: self) }
    }
}
