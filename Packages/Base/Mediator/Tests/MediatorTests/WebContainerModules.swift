// Two responders, as their own packages would be: they import no mediator, offer tables of closures over
// standard types, and a page is a plain value.

/// The old web container's module.
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

/// The new web container's module.
///
/// Other apps may open it too.
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
