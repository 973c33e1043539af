import Links

// Two modules that answer actions. In an app, each module would be a separate package whose module type returns
// the list from `links(in:)`. The modules do not import Mediator, and represent a page as a plain value.

/// The module of the old web container.
enum OldWebViewModule {
    static let links: [Link] = [
        .action("oldWebView", "page") { params in
            guard let url = params.param("url", as: String.self), !url.isEmpty else { return nil }
            return ["page": "OldWebPage", "urlStr": url, "hideTitleView": "false"]
        }
    ]
}

/// The module of the new web container, which other apps may open too.
enum WebViewModule {
    static let links: [Link] = [
        .action("webView", "page", from: .outside) { params in
            guard let url = params.param("url", as: String.self), !url.isEmpty else { return nil }
            return ["page": "WebPage", "urlPath": url]
        },
        .action("webView", "clearCookies") { _ in true },
    ]
}
