import Foundation
import Mediator
import Routes

/// What came of a URL from outside.
struct Opened: Encodable {
    let url: String
    /// What was answered, as text; nil when it was nothing, or nobody was called.
    let value: String?
    /// Why nobody was called.
    let error: String?

    /// Opens a URL as a call from outside: by its route, or, where no route fits, by the name of an action.
    init(_ url: String, in app: App) async {
        self.url = url
        let result = await app.routes.open(url)
        guard case .noMatch = result else {
            value = result.value.map(Self.text)
            error = result.error.map { String(describing: $0) }
            return
        }
        do {
            value = try await app.infrastructure.mediator.openUrl(url).map(Self.text)
            error = nil
        } catch let refusal as MediatorError where Self.isNobodys(refusal) {
            value = nil
            error = result.error.map { String(describing: $0) }
        } catch {
            value = nil
            self.error = String(describing: error)
        }
    }

    /// Whether the mediator knows the URL as little as the routes do.
    private static func isNobodys(_ refusal: MediatorError) -> Bool {
        [.badURL, .notTargetAction, .targetNotFound, .actionNotFound].contains(refusal.code)
    }

    /// Lists as lines, tables as fields.
    private static func text(_ value: any Sendable) -> String {
        switch value {
        case let lines as [String]: lines.joined(separator: "\n")
        case let fields as [String: String]:
            fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
        default: String(describing: value)
        }
    }

    var json: String {
        get throws { try JSONReport.text(of: self) }
    }
}
