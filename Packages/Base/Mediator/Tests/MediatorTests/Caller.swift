import Mediator

/// The ways to show a page.
enum PageAnimation {
    case push, present
}

/// Shows a web page, and returns whether there was one. Depends on the facade, but on neither web container.
func showWebPage(
    _ params: [String: any Sendable], _ animation: PageAnimation, _ mediator: Mediator,
    push: (Page) -> Void, present: (Page) -> Void
) -> Bool {
    guard let page = try? mediator.webviewViewController(params: params) else { return false }
    switch animation {
    case .push: push(page)
    case .present: present(page)
    }
    return true
}
