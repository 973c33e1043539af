import Mediator

/// Shows a web page, and returns whether there was one. Depends on the facade, but on neither web container.
func showWebPage(_ url: String, _ mediator: Mediator, push: (any Page) -> Void) -> Bool {
    guard let page = try? mediator.webviewViewController(url: url) else { return false }
    push(page)
    return true
}
