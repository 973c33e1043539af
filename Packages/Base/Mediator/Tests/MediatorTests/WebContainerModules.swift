// Two modules that offer actions. In an app, each would be in a package of its own. They do not import
// Mediator: they offer tables of closures over standard types and represent a page as a plain value.

/// The module of the old web container.
enum YaoWangWebViewModule {
    static let actions: [String: [String: @Sendable ([String: any Sendable]) throws -> (any Sendable)?]] = [
        "yaoWangWebView": [
            "jsFetchYaoWangWebViewController": { params in
                guard let url = params["url"] as? String, !url.isEmpty else { return nil }
                return ["page": "YWSubjectViewController", "urlStr": url, "hideTitleView": "false"]
            }
        ]
    ]
}

/// The module of the new web container, which other apps may open too.
enum HybridWebViewModule {
    static let actions: [String: [String: @Sendable ([String: any Sendable]) throws -> (any Sendable)?]] = [
        "hybridWebView": [
            "jsFetchHybridWebViewController": { params in
                guard let url = params["url"] as? String, !url.isEmpty else { return nil }
                return ["page": "GLWebVC", "urlPath": url]
            },
            "clearCookies": { _ in true },
        ]
    ]
    static let remote: [String: Set<String>] = ["hybridWebView": ["jsFetchHybridWebViewController"]]
}
