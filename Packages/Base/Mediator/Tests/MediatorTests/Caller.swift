import Mediator

/// The ways in which a caller shows a page.
enum PageAnimation {
    case push, present
}

/// A caller, which depends on the facade but on neither web container. Returns whether it showed a page.
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
