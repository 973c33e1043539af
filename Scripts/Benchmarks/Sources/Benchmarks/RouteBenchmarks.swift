import Foundation
import Links
import Mediator
import Routes

/// The benchmarks of Base/Mediator and Base/Routes.
func routeBenchmarks() throws -> [Benchmark] {
    let routes = try routesOf(1_000), few = try routesOf(10)
    let list = patterns(1_000).map(LinearPattern.init)
    let names = patterns(1_000)
    return [
        try mediatorCall(),
        Benchmark(
            "Routes: a call among 1,000 patterns", against: "among 10", limit: .ratio(2),
            ours: { for _ in 0..<$0 { consume(routes.routeURL(known).isSuccess) } },
            theirs: { for _ in 0..<$0 { consume(few.routeURL(known).isSuccess) } }),
        Benchmark(
            "Routes: parse and match among 1,000", against: "parse and scan a list",
            limit: .ratio(1.0 / 20),
            ours: { for _ in 0..<$0 { consume(routes.canRoute(inTheMiddle)) } },
            theirs: { for _ in 0..<$0 { consume(LinearPattern.match(inTheMiddle, list)) } }),
        Benchmark(
            "Routes: no match among 1,000", against: "a match", limit: .ratio(1),
            ours: { for _ in 0..<$0 { consume(routes.routeURL(unknown).isSuccess) } },
            theirs: { for _ in 0..<$0 { consume(routes.routeURL(known).isSuccess) } }),
        Benchmark(
            "Routes: parse and match a link", against: "URLComponents, parsing only", limit: .ratio(3),
            ours: { for _ in 0..<$0 { consume(routes.canRoute(outsideLink)) } },
            theirs: { for _ in 0..<$0 { consume(componentsParse(outsideLink)) } }),
        Benchmark(
            "Routes: 1,000 registrations and the first call", against: "parsing the patterns only",
            limit: .milliseconds(10),
            ours: { for _ in 0..<$0 { register(names) } },
            theirs: { rounds in
                for _ in 0..<rounds { for name in names { consume(try? RoutePattern(name)) } }
            }),
    ]
}

extension Scenario {
    /// One call of a route among 1,000.
    static let routeCall = Scenario(name: "route-call", rounds: 2_000) {
        let routes = try routesOf(1_000)
        return { for _ in 0..<$0 { consume(routes.routeURL(known).isSuccess) } }
    }

    /// Parsing a name, and matching it among 1,000 routes.
    static let routeMatch = Scenario(name: "route-match", rounds: 2_000) {
        let routes = try routesOf(1_000)
        return { for _ in 0..<$0 { consume(routes.canRoute(inTheMiddle)) } }
    }

    /// One call that matches none of 1,000 routes.
    static let routeMiss = Scenario(name: "route-miss", rounds: 2_000) {
        let routes = try routesOf(1_000)
        return { for _ in 0..<$0 { consume(routes.routeURL(unknown).isSuccess) } }
    }

    /// One call from outside, with an encoded segment, a query with a repeated name, and a fragment.
    static let link = Scenario(name: "link", rounds: 2_000) {
        let routes = try routesOf(1_000)
        return { for _ in 0..<$0 { consume(routes.openUrl(outsideLink).isSuccess) } }
    }

    /// One local call of an action among 200.
    static let mediatorCall = Scenario(name: "mediator-call", rounds: 10_000) {
        let (mediator, _) = try twoHundredActions()
        let params: [String: any Sendable] = ["id": 1]
        return {
            for _ in 0..<$0 {
                consume(try? mediator.performTarget("target7", action: "action3", params: params) as? Int)
            }
        }
    }

    /// 1,000 registrations and the first call.
    static let registrations = Scenario(name: "registrations", rounds: 10) {
        let names = patterns(1_000)
        return { for _ in 0..<$0 { register(names) } }
    }
}

private let known = "module5/list/books/page/2"
private let unknown = "module5/list/books/pages/2"
private let inTheMiddle = "module501/list/books/page/2"
private let outsideLink = "app://module501/list/books%20new/page/2?from=mail&tag=a&tag=b#top"

private typealias Action = @Sendable ([String: any Sendable]) throws -> (any Sendable)?

/// A mediator with twenty targets of ten actions each, and the same actions as dictionaries.
private func twoHundredActions() throws -> (Mediator, [String: [String: Action]]) {
    let mediator = Mediator()
    var tables: [String: [String: Action]] = [:]
    var links: [Link] = []
    for target in 0..<20 {
        for action in 0..<10 {
            let handler: Action = { ($0["id"] as? Int ?? 0) + action }
            tables["target\(target)", default: [:]]["action\(action)"] = handler
            links.append(.action("target\(target)", "action\(action)") { try handler($0.values) })
        }
    }
    try mediator.install(links)
    return (mediator, tables)
}

/// Measures calls to one action with one parameter.
private func mediatorCall() throws -> Benchmark {
    let (mediator, bare) = try twoHundredActions()
    let params: [String: any Sendable] = ["id": 1]
    return Benchmark(
        "Mediator: a local call", against: "a bare dictionary of dictionaries", limit: .ratio(3),
        ours: {
            for _ in 0..<$0 {
                consume(try? mediator.performTarget("target7", action: "action3", params: params) as? Int)
            }
        },
        theirs: { for _ in 0..<$0 { consume(try? bare["target7"]?["action3"]?(params) as? Int) } })
}

/// Realistic patterns, with literal segments, parameters, typed parameters and wildcards.
private func patterns(_ count: Int) -> [String] {
    (0..<count).map { number in
        switch number % 4 {
        case 0: "module\(number)/detail/:id<int>"
        case 1: "module\(number)/list/:category/page/:page"
        case 2: "module\(number)/settings"
        default: "module\(number)/files/*path"
        }
    }
}

private func register(_ names: [String]) {
    let routes = Routes()
    for name in names { consume(try? routes.addRoute(name) { _ in .success(1) }) }
    consume(routes.canRoute(known))
}

private func routesOf(_ count: Int) throws -> Routes {
    let routes = Routes()
    for pattern in patterns(count) { try routes.addRoute(pattern, from: .outside) { _ in .success(1) } }
    return routes
}

private func componentsParse(_ url: String) -> Int {
    let components = URLComponents(string: url)
    return (components?.path.count ?? 0) + (components?.queryItems?.count ?? 0)
        + (components?.host?.count ?? 0)
}

/// A pattern of the baseline router, which tries its patterns in order and uses no regular expressions.
private struct LinearPattern {
    let segments: [String]

    init(_ text: String) { segments = text.split(separator: "/").map(String.init) }

    /// The number of parameters of the first matching pattern, or 0 if no pattern matches.
    static func match(_ url: String, _ list: [LinearPattern]) -> Int {
        guard let texts = try? AppURL(url).segments else { return 0 }
        for pattern in list {
            if let values = pattern.match(texts) { return values.count }
        }
        return 0
    }

    func match(_ texts: [String]) -> [String: String]? {
        var values: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            if segment.hasPrefix("*") {
                guard index < texts.count else { return nil }
                values[segment] = texts[index...].joined(separator: "/")
                return values
            }
            guard index < texts.count else { return nil }
            if segment.hasPrefix(":") {
                values[segment] = texts[index]
            } else if segment != texts[index] {
                return nil
            }
        }
        return texts.count == segments.count ? values : nil
    }
}
