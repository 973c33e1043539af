import Mediator

/// Shows a web page, and returns whether there was one. Depends on the facade, but on neither web container.
func showWebPage(_ params: [String: any Sendable], _ mediator: Mediator, push: (Page) -> Void) -> Bool {
    guard let page = try? mediator.webviewViewController(params: params) else { return false }
    push(page)
    return true
}
