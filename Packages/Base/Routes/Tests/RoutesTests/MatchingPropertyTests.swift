import Foundation
import Links
import Routes
import TestSupport
import Testing

@Suite("Matching routes, compared with a naive matcher") struct MatchingPropertyTests {
    struct Generated {
        let scheme: String?
        let items: [[String]]

        var text: String {
            let path = items.map { item in
                item.first == "(" ? "(" + item.dropFirst().map { "/\($0)" }.joined() + ")" : "/\(item[0])"
            }.joined()
            return (scheme.map { "\($0):/" } ?? "") + path
        }
    }

    private static let texts = [
        "a", "b", "c", "1", "-2", "true", "0.5", "01234567-89ab-cdef-0123-456789ABCDEF", "é",
        "99999999999999999999", "+1", "1.", "-.5", "1.E5", "2e3", "1e999", "A", "aB", "..", "x-_.",
    ]

    @Test(
        "The tree and the naive matcher agree on routes, parameters, conflicts and similar names, in any registration order",
        arguments: 0..<60)
    func agreesWithLinearMatcher(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var naive = NaiveRoutes()
        let routes = Routes()
        var accepted: [(id: Int, pattern: Generated)] = []
        for id in 0..<Int.random(in: 1..<40, using: &random) {
            let pattern = generate(&random)
            let isNew = naive.add(
                id, scheme: pattern.scheme, items: pattern.items)
            do {
                try routes.addRoute(pattern.text) { .success([id: shown($0)]) }
                #expect(isNew, "\(pattern.text)")
                accepted.append((id, pattern))
            } catch {
                #expect(!isNew, "\(error)")
            }
        }
        let shuffled = Routes()
        for (id, pattern) in accepted.shuffled(using: &random) {
            try shuffled.addRoute(pattern.text) { .success([id: shown($0)]) }
        }
        for _ in 0..<150 {
            let scheme = random.pick([nil, "app", "web"])
            let segments = (0..<Int.random(in: 0..<5, using: &random)).map { _ in random.pick(Self.texts) }
            let hasHost = Bool.random(using: &random) && segments.first?.utf8.allSatisfy { $0 < 128 } == true
            let url =
                (scheme.map { "\($0):" } ?? "") + (hasHost ? "//" : "/")
                + segments.map(percentEncoded).joined(separator: "/")
            let expected = naive.match(scheme: scheme, hasHost: hasHost, segments)
            let ids = naive.similar(scheme: scheme, segments)
            let similar = accepted.filter { ids.contains($0.id) }.map(\.pattern.text)
            for routes in [routes, shuffled] {
                let result = routes.routeURL(url)
                if let expected {
                    #expect(
                        result.value as? [Int: [String: String]] == [expected.id: expected.values], "\(url)")
                } else {
                    #expect(!result.isSuccess, "\(url)")
                    let named = result.error?.similar ?? result.error?.pattern
                    #expect(named.map(similar.contains) ?? similar.isEmpty, "\(url)")
                }
                #expect(routes.canRoute(url) == (expected != nil))
            }
        }
    }

    @Test("Parsing random text as a URL or a pattern never crashes", arguments: 0..<8)
    func anyText(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let routes = Routes()
        for (index, pattern) in ["a/:x/b", "a/:x<int>(/c)", ":x/*", "app://a/b", "(/q)/r"].enumerated() {
            let callers: Link.Callers = index % 2 == 0 ? .outside : .inside
            try routes.addRoute(pattern, from: callers) { .success($0.values.count) }
        }
        let pieces = [
            "a", "b", "app", ":", "/", "//", "(", ")", "(/", "<", ">", "<int>", "*", "?", "#", "%", "%2F",
            "%FF", "+", "é",
            " ", "\u{0}", ":x", "x=1", "&", "@",
        ]
        var patterns = 0
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0..<9, using: &random)).map { _ in random.pick(pieces) }.joined()
            let isURL = (try? AppURL(text)) != nil
            #expect((routes.routeURL(text).error?.isBadURL == true) == !isURL, "\(text)")
            if let error = routes.openUrl(text).error { #expect(!error.description.isEmpty) }
            do throws(RouteError) {
                _ = try RoutePattern(text)
                patterns += 1
            } catch {
                #expect((0...text.utf8.count).contains(error.position ?? -1), "\(text)")
            }
        }
        #expect(patterns > 100)
    }

    @Test("Calls find the right routes among heavily overlapping patterns and for URLs of the maximum length")
    func adversarial() throws {
        let routes = Routes()
        // All 1,024 patterns of ten segments in which each segment is `a` or a parameter. The URL "a/a/…"
        // matches every segment of each pattern.
        for choice in 0..<1_024 {
            let segments = (0..<10).map { choice >> $0 & 1 == 0 ? "a" : ":x\($0)" }
            try routes.addRoute(segments.joined(separator: "/") + "/end") { .success($0.values.count) }
        }
        try routes.addRoute(String(repeating: "a/", count: 63) + "end") { .success($0.values.count) }
        try routes.addRoute("deep/*") { .success(($0["*"] as? [String])?.count) }
        func url(_ count: Int, _ end: String) -> String { String(repeating: "a/", count: count) + end }
        for _ in 0..<100 {
            #expect(routes.routeURL(url(10, "end")).value as? Int == 0)
            #expect(routes.routeURL("b/" + url(9, "end")).value as? Int == 1)
            #expect(routes.routeURL(url(10, "no")).error?.reason == .noMatch)
            #expect(routes.routeURL(url(63, "end")).value as? Int == 0)
            #expect(routes.routeURL(url(63, "no")).error?.reason == .noMatch)
        }
        #expect(routes.routeURL(url(32_767, "b")).error?.reason == .noMatch)
        #expect(routes.routeURL("deep/" + url(32_000, "b")).value as? Int == 32_001)
        #expect(routes.routeURL(url(32_768, "b")).error?.isBadURL == true)
    }

    private func generate(_ random: inout SeededRandom) -> Generated {
        var names = ["x", "y", "z", "u", "v", "w"]
        func segment(_ random: inout SeededRandom) -> String {
            switch Int.random(in: 0..<6, using: &random) {
            case 0...2: random.pick(["a", "b", "c", "1", "A", "aB"])
            case 3: ":\(names.removeFirst())<\(random.pick(["int", "double", "bool", "id"]))>"
            default: ":\(names.removeFirst())"
            }
        }
        var items = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
            Int.random(in: 0..<5, using: &random) == 0 ? ["(", segment(&random)] : [segment(&random)]
        }
        if Int.random(in: 0..<4, using: &random) == 0 { items.append([random.pick(["*", "*rest"])]) }
        if items.isEmpty { items = [["a"]] }
        return Generated(
            scheme: random.pick([nil, nil, "app"]), items: items)
    }
}

private func percentEncoded(_ segment: String) -> String {
    segment.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? segment
}

/// The parameters as strings; the elements of an array are joined with `|`.
private func shown(_ parameters: Parameters) -> [String: String] {
    parameters.values.mapValues { value in
        (value as? [String])?.joined(separator: "|") ?? "\(value)"
    }
}

extension RouteError {
    fileprivate var isBadURL: Bool {
        if case .badURL = reason { true } else { false }
    }
}
