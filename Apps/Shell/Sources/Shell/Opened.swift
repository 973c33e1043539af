import AppModules
import Mediator
import Routes

/// The result of opening a URL from outside the app.
struct Opened: Encodable {
    let url: String
    /// The returned value as text; nil when the handler returned nothing or the URL was refused.
    let value: String?
    /// The reason for a refusal, by the app or by the called module; nil on success.
    let error: String?

    /// Opens a URL as a call from outside the app: by route, or as an action if no route matches.
    init(_ url: String, in app: ModularApp) async {
        self.url = url
        do {
            value = try await Self.answer(to: url, in: app).map(Self.text)
            error = nil
        } catch {
            value = nil
            self.error = OpeningRefused(url: url, error: error, app: app).description
        }
    }

    private static func answer(to url: String, in app: ModularApp) async throws -> (any Sendable)? {
        let result = await app.services.routes.openUrl(url)
        guard let refusal = result.error else { return result.value }
        guard case .noMatch = result else { throw refusal }
        do {
            return try await app.services.mediator.openUrl(url)
        } catch let error as MediatorError where isUnknownURL(error) {
            throw refusal
        }
    }

    /// Whether the error means that the mediator has no action for the URL.
    private static func isUnknownURL(_ refusal: MediatorError) -> Bool {
        [.badURL, .notTargetAction, .targetNotFound, .actionNotFound].contains(refusal.code)
    }

    /// Formats a list as one line per element, and a dictionary as one line per field.
    private static func text(_ value: any Sendable) -> String {
        switch value {
        case let lines as [String]: lines.joined(separator: "\n")
        case let fields as [String: String]:
            fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
        default: String(describing: value)
        }
    }
}
