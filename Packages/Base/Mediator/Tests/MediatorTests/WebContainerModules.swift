import Links

// Two modules that answer actions. In an app, each module would be a separate package whose module type returns
// the list from `links(in:)`. The modules do not import Mediator.

/// A page that a caller can show. In an app, the protocol stands in a package below the modules and their callers.
protocol Page: Sendable {
    var url: String { get }
}

struct WebPage: Page {
    let url: String
}

struct OldWebPage: Page {
    let url: String
}

/// The module of the old web container.
enum OldWebViewModule {
    static let links: [Link] = [
        .action("oldWebView", "page") { OldWebPage(url: try $0.required("url", as: String.self)) }
    ]
}

/// The module of the new web container, which other apps may open too.
enum WebViewModule {
    static let links: [Link] = [
        .action("webView", "page", from: .outside) { WebPage(url: try $0.required("url", as: String.self)) },
        .action("webView", "clearCookies") { _ in true },
    ]
}
