import Offers
import URLGrammar

/// The outcome of resolving a URL: a route with the handler to call, or a final result.
enum RouteSearch {
    case call(Route.RouteHandler, Route, RouteRequest)
    case result(RouteResult)
}

/// The outcome of looking up a URL, before guards and the unmatched handler are called.
enum RouteFinding {
    case found(Route.RouteHandler, RouteTrie.Leaf, AppURL)
    case noMatch(AppURL)
    case result(RouteResult)
}

extension Routes {
    /// Finds the route that matches a URL, following redirects, without calling the app's code.
    func find(_ text: String, isRemote: Bool, in trie: RouteTrie) -> RouteFinding {
        var url: AppURL
        do {
            url = try AppURL(text)
        } catch {
            return .result(
                .failed(
                    RouteError(
                        .badURL, url: error.url, position: error.position, detail: error.explanation)))
        }
        var chain: [String] = []
        while true {
            let texts = url.segments[...]
            guard let leaf = trie.match(scheme: url.scheme, texts) else {
                return noMatch(url, text, texts, in: trie)
            }
            let route = leaf.route
            let target: RoutePattern
            switch route.answer {
            case .absent(let module):
                return .result(RouteResult.absentModule(module).completed(route, text))
            case _ where isRemote && !route.isRemote:
                return .result(.denied(RouteError(.localOnly, pattern: route.text, url: text)))
            case .handler(let handler): return .found(handler, leaf, url)
            case .redirect(let pattern): target = pattern
            }
            chain.append(route.text)
            if chain.count > Self.maximumRedirects {
                return .result(
                    .failed(RouteError(.redirectLoop, url: text, detail: chain.joined(separator: " -> "))))
            }
            do {
                url = try redirected(url, leaf.shape.values(in: texts).values, to: target)
            } catch {
                let result: RouteResult = error.code == .badParameter ? .badParameter(error) : .failed(error)
                return .result(result.completed(route, text))
            }
        }
    }

    /// Creates the request for a matching route's handler, or, if `leaf` is nil, for the unmatched handler.
    func request(
        _ url: AppURL, _ leaf: RouteTrie.Leaf?, _ passed: [String: any Sendable], isRemote: Bool
    ) -> RouteRequest {
        // Path parameters take precedence over passed parameters, which take precedence over the query.
        var values = leaf?.shape.values(in: url.segments[...]).values ?? [:]
        if !passed.isEmpty { values.merge(passed) { earlier, _ in earlier } }
        if !url.query.isEmpty {
            for (key, value) in url.queryValues()
            where !(isRemote && AppURL.isReserved(key)) && values[key] == nil {
                values[key] = value
            }
        }
        if let fragment = url.fragment { values["@fragment"] = fragment }
        let pattern = leaf?.route.text
        return RouteRequest(
            url: url, pattern: pattern, parameters: Parameters(values, of: pattern), isRemote: isRemote)
    }

    private func noMatch(
        _ url: AppURL, _ text: String, _ texts: ArraySlice<String>, in trie: RouteTrie
    ) -> RouteFinding {
        guard let almost = trie.almostMatch(scheme: url.scheme, texts),
            let rejected = almost.shape.values(in: texts).rejected
        else { return .noMatch(url) }
        let error = ParameterError(
            key: rejected.name, expected: rejected.type.rawValue,
            found: "the text \(AppURL.quoted(rejected.text))")
        return .result(
            .badParameter(RouteError(error, pattern: almost.route.text, url: text)))
    }

    /// The URL that a redirect leads to.
    private func redirected(
        _ url: AppURL, _ path: [String: any Sendable], to target: RoutePattern
    ) throws(RouteError) -> AppURL {
        let names = Set(target.parameterNames)
        var query: [AppURL.QueryItem] = []
        for (name, value) in path.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
            for text in try target.texts(of: value, key: name) {
                query.append(AppURL.QueryItem(name: name, value: text))
            }
        }
        // A path parameter takes precedence over a query item of the same name, which is dropped.
        query += url.query.filter { path[$0.name] == nil }
        return try target.url(
            path: path.filter { names.contains($0.key) }, query: query, fragment: url.fragment)
    }
}

extension RouteResult {
    /// Converts an error that a handler threw into a result.
    init(thrown error: any Error) {
        switch error {
        case let error as ParameterError: self = .badParameter(RouteError(error))
        case HandlerError.needsAwait: self = .failed(RouteError(.needsAwait))
        case HandlerError.needsMainActor: self = .failed(RouteError(.needsMainActor))
        default: self = .failed(RouteError(.handlerFailed, underlying: error))
        }
    }

    /// Returns the result, and adds the route's pattern and the URL to its error unless the error already contains
    /// them.
    func completed(_ route: Route?, _ url: String) -> RouteResult {
        func complete(_ error: RouteError) -> RouteError {
            var error = error
            error.pattern = error.pattern ?? route?.text
            error.url = error.url ?? url
            return error
        }
        return switch self {
        case .handled: self
        case .absentModule(let error): .absentModule(complete(error))
        case .noMatch(let error): .noMatch(complete(error))
        case .badParameter(let error): .badParameter(complete(error))
        case .denied(let error): .denied(complete(error))
        case .failed(let error): .failed(complete(error))
        }
    }
}
