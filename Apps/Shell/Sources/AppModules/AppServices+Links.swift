import Lifecycle
import Links
import Mediator
import Routes

/// What came of a link from outside the app.
public struct OpenedLink: Sendable {
    /// The value of the route or the action, such as a page; nil if it has none or the link was refused.
    public let value: (any Sendable)?
    /// Why the link was refused; nil on success. A `RouteError`, a `MediatorError`, or the error that an action threw.
    public let error: (any Error)?
    /// One line for each module that failed to handle the event `.openURL`.
    public let failures: [String]
}

extension ModularApp {
    /// Opens a link that the system or another app handed to this app: sends the event `.openURL` to the modules, and
    /// then calls the route that matches the URL, or the action that it names if no route matches.
    ///
    /// ```swift
    /// .onOpenURL { url in Task { await show(app.open(url).value as? any Page) } }
    /// ```
    ///
    /// A link reaches only routes and actions that are written `from: .outside`. Thread-safe.
    ///
    /// - Parameters:
    ///   - url: The link, as a string or a Foundation `URL`.
    ///   - options: The options that the system passed with the link. The handler receives them as the parameter
    ///     `@options`.
    ///   - fileID: The caller's file, for the observers of routes and actions.
    ///   - line: The caller's line, for the observers.
    /// - Returns: The link's page or other value, or why the link was refused.
    @discardableResult
    public func open(
        _ url: some URLText, options: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) async -> OpenedLink {
        let text = url.urlText
        let failures = await host.send(.openURL(text)).failureLines
        do {
            let value = try await answer(to: text, options, fileID, line)
            return OpenedLink(value: value, error: nil, failures: failures)
        } catch {
            return OpenedLink(value: nil, error: error, failures: failures)
        }
    }

    private func answer(
        to url: String, _ options: [String: any Sendable], _ fileID: StaticString, _ line: UInt
    ) async throws -> (any Sendable)? {
        let parameters: [String: any Sendable] = options.isEmpty ? [:] : ["@options": options]
        let result = await services.routes.openUrl(
            url, parameters: parameters, fileID: fileID, line: line)
        // The handler of a route that matches may return the failure of a call of its own, whose URL is another one.
        guard let unmatched = result.error, unmatched.reason == .noMatch, unmatched.url == url else {
            return try result.get()
        }
        do {
            return try await services.mediator.openUrl(url, options: options, fileID: fileID, line: line)
        } catch let error as MediatorError where error.isUnknown {
            // An error that names the right case says more than one that knows nothing of the URL.
            throw error.similar == nil ? unmatched : error
        }
    }
}

extension MediatorError {
    /// Whether the mediator has no action for a URL.
    fileprivate var isUnknown: Bool {
        switch reason {
        case .badURL, .notTargetAction, .targetNotFound, .actionNotFound: true
        default: false
        }
    }
}
