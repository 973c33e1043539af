import Foundation
import TestSupport
import Testing

@testable import APICache
@testable import APIService
@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Cache keys")
struct CacheKeyTests {
    private func request(_ text: String, _ fields: [String: String] = [:], body: String? = nil) -> URLRequest
    {
        var request = URLRequest(url: url(text))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private func key(
        _ request: URLRequest, user: String? = nil, _ change: (inout APICache) -> Void = { _ in }
    ) -> APICacheKey {
        var cache = APICache()
        change(&cache)
        return APICacheKey(request, users: user.map { [$0] } ?? [], cache: cache)
    }

    private func canonical(_ text: String) -> String { url(text).canonical }

    @Test(
        "URLParts splits a URL into the same parts as URLComponents",
        arguments: [
            "http://h", "HTTPS://User:pa%3Ass@Host.Example:8443/a/b%2Fc?x=1&y#frag", "http://[::1]:80/?",
            "http://h:/",
            "http://[fe80::1%25en0]/x?a=/?b#?c", "http://h?q:/@", "http://h#f?no", "mailto:a@b",
            "file:///a:b/c",
        ])
    func urlParts(text: String) throws {
        let parts = try #require(URLParts(url(text)))
        let components = try #require(URLComponents(string: text))
        func string(_ bytes: URLParts.Bytes?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
        #expect(string(parts.scheme) == components.scheme)
        #expect(string(parts.host) == components.percentEncodedHost ?? "")
        #expect(string(parts.port).flatMap { Int($0) } == components.port)
        #expect(string(parts.path) == components.percentEncodedPath)
        #expect(string(parts.query) == components.percentEncodedQuery)
        #expect(
            string(parts.userInfo)
                == components.percentEncodedUser.map { user in
                    components.percentEncodedPassword.map { "\(user):\($0)" } ?? user
                })
        #expect((url(text).origin == nil) == (components.host ?? "").isEmpty)
        for relative in ["/a:b", "a", "?a:b"] { #expect(URLParts(url(relative)) == nil) }
    }

    @Test(
        "Equivalent spellings of a URL have the same cache key",
        arguments: [
            ("HTTP://Host.Example:80/a?b=1&a=2", "http://host.example/a?b=1&a=2"),
            ("http://h/%61", "http://h/a"), ("http://h", "http://h/"), ("https://h:443/", "https://h/"),
            ("http://h/a?x=%7e", "http://h/a?x=~"), ("http://h/a#f", "http://h/a"),
            ("http://h/%e6", "http://h/%E6"), ("http://h:/", "http://h/"),
        ])
    func same(one: String, other: String) {
        #expect(key(request(one)) == key(request(other)))
    }

    @Test(
        "URLs that can have different responses have different cache keys",
        arguments: [
            ("http://h/a?x=1&x=2", "http://h/a?x=2&x=1"), ("http://h/a?x=1&y=2", "http://h/a?y=2&x=1"),
            ("http://h/a?x=1,2", "http://h/a?x=1%2C2"), ("http://h/a", "https://h/a"),
            ("http://h/a", "http://h:81/a"),
            ("http://h/a?x=a%26b", "http://h/a?x=a&b"), ("http://h/a?x", "http://h/a?x="),
            ("http://h/a/b", "http://h/a%2Fb"),
            ("http://h/a?x=+", "http://h/a?x=%2B"), ("http://h/a", "http://h/a/"),
        ])
    func different(one: String, other: String) {
        #expect(key(request(one)) != key(request(other)))
    }

    @Test("The method, body, significant header fields, extra key and user are part of the cache key")
    func parts() {
        var post = request("http://h/")
        post.httpMethod = "POST"
        let keys = [
            key(request("http://h/")), key(post), key(request("http://h/", body: "x")),
            key(request("http://h/", ["Accept": "a"])), key(request("http://h/", ["Accept-Language": "a"])),
            key(request("http://h/", ["Content-Type": "a"])), key(request("http://h/", ["Range": "a"])),
            key(request("http://h/")) { $0.extraCacheKey = "a" }, key(request("http://h/"), user: "a"),
            key(request("http://h/"), user: "b"), key(request("http://h/"), user: ""),
            key(request("http://ann@h/")), key(request("http://h/", ["Authorization": "a"])),
            key(request("http://h/", ["Cookie": "a"])),
            key(request("http://h/")) { $0.customCacheKeyHandler = { $0 + "!" } },
        ]
        #expect(Set(keys).count == keys.count)
        #expect(key(request("http://h/", ["X-Trace": "1"])) == keys[0])
    }

    @Test("A cache key does not contain credentials, and no user name produces the same key as credentials")
    func secrets() {
        let key = key(request("http://h/", ["Authorization": "Bearer secret"]))
        #expect(!key.description.contains("secret"))
        let other = self.key(request("http://h/"), user: "Authorization: Bearer%20secret")
        #expect(key.partition != other.partition)
        // If the user is known, cached responses survive a new token.
        #expect(
            self.key(request("http://h/", ["Authorization": "1"]), user: "u")
                == self.key(request("http://h/", ["Authorization": "2"]), user: "u"))
    }

    @Test("A custom cache key cannot reach another user's responses")
    func customKey() {
        let keys = ["a", "b"].map { (name: String) in
            key(request("http://h/\(name)"), user: name) { $0.customCacheKeyHandler = { _ in "k" } }
        }
        #expect(keys.map(\.text) == ["k", "k"])
        #expect(keys[0] != keys[1])
    }

    @Test("The cache key of a request is the same at every launch")
    func stable() {
        let key = key(request("http://h/a?b=1&a=%e6", ["Accept": "x/y"], body: "body"), user: "u") {
            $0.extraCacheKey = "v1"
        }
        #expect(
            key.text == """
                GET
                http://h/a?b=1&a=%E6
                accept: x%2Fy
                body: 230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5
                extra: v1
                """)
        #expect(key.partition == "bfa8ee1625687587833cb790541024be")
        let credentials = ["Authorization": "a", "Cookie": "b", "Proxy-Authorization": "c"]
        #expect(
            self.key(request("http://h/", credentials)).partition == "a134a123ee883daab593e6b7f7d2fded")
    }

    @Test(
        "Canonicalizing a URL is idempotent"
    )
    func property() throws {
        var random = SeededRandom(3)
        for _ in 0..<300 {
            let query = try APIURLEncoding.default.query(APIParameters(random.object(depth: 2)))
            let text = "http://h/\(PercentEncoding.escape(random.text()))?\(query)"
            let canonical = canonical(text)
            #expect(self.canonical(canonical) == canonical)
        }
    }
}
