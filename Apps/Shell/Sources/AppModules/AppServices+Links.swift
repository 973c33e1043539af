import Launch
import Links
import Mediator
import Routes

extension AppServices {
    /// The routes and the actions as one registry: a module's links are installed in both or in neither, and a link from
    /// outside calls the route that matches it, or the action that it names if no route matches.
    var links: AppLinks {
        let (routes, mediator) = (routes, mediator)
        return AppLinks(
            install: { links, _ in
                try mediator.install(links)
                do {
                    try routes.install(links)
                } catch {
                    for case .action(let target, _) in links.map(\.name) { mediator.remove(target: target) }
                    throw error
                }
            },
            open: { link in
                let parameters: [String: any Sendable] =
                    link.options.isEmpty ? [:] : ["@options": link.options]
                let (file, line) = (link.fileID, link.line)
                let result = await routes.openUrl(link.url, parameters: parameters, fileID: file, line: line)
                // The handler of a route that matches may return the failure of a call of its own, whose URL is another one.
                guard let unmatched = result.error, unmatched.reason == .noMatch, unmatched.url == link.url
                else {
                    return try result.get()
                }
                do {
                    return try await mediator.openUrl(
                        link.url, options: link.options, fileID: file, line: line)
                } catch let error as MediatorError where error.isUnknown {
                    // An error that names the right case says more than one that knows nothing of the URL.
                    throw error.similar == nil ? unmatched : error
                }
            })
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
