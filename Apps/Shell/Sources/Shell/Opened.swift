import Foundation
import Mediator
import Routes

/// What came of a URL from outside.
struct Opened: Encodable {
    let url: String
    /// What was answered, as text; nil when it was nothing, or nobody was called.
    let value: String?
    /// Why nobody was called, or what the called module refused, for a person.
    let error: String?

    /// Opens a URL as a call from outside: by its route, or, where no route fits, by the name of an action.
    init(_ url: String, in app: App) async {
        self.url = url
        do {
            value = try await Self.answer(to: url, in: app).map(Self.text)
            error = nil
        } catch {
            value = nil
            self.error = OpeningRefused(url: url, error: error, app: app).description
        }
    }

    private static func answer(to url: String, in app: App) async throws -> (any Sendable)? {
        let result = await app.routes.open(url)
        guard let refusal = result.error else { return result.value }
        guard case .noMatch = result else { throw refusal }
        do {
            return try await app.infrastructure.mediator.openUrl(url)
        } catch let error as MediatorError where isNobodys(error) {
            throw refusal
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
