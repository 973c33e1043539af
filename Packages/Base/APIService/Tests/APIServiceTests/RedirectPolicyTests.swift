import APITransport
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Redirects that a policy follows")
struct RedirectPolicyTests {
    @Test("A redirect keeps the request's Host field within the origin and drops it for another origin")
    func host() {
        var request = URLRequest(url: url("http://one.example/a"))
        request.setValue("virtual.example", forHTTPHeaderField: "Host")
        for (location, host) in [("/b", "virtual.example"), ("http://two.example/b", nil)] {
            let next = RedirectPolicy().next(after: request, status: 307, location: location)
            #expect(next?.url == URL(string: location, relativeTo: request.url)?.absoluteURL)
            #expect(next?.value(forHTTPHeaderField: "Host") == host)
        }
    }

    @Test(
        "A redirect keeps or changes the method (RFC 9110, 15.4), and drops what belongs to the first URL",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
            (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "HEAD", "HEAD"), (307, "POST", "POST"),
            (308, "POST", "POST"), (300, "GET", nil), (304, "GET", nil), (309, "GET", nil),
        ] as [(Int, String, String?)])
    func method(status: Int, method: String, expected: String?) {
        let content = ["Content-Type", "Content-Length", "Content-Encoding"]
        let validators = [
            "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
        ]
        var request = URLRequest(url: url("http://h/a"))
        (request.httpMethod, request.httpBody) = (method, Data("1".utf8))
        for field in content + validators + ["X-A"] { request.setValue("1", forHTTPHeaderField: field) }
        let next = RedirectPolicy().next(after: request, status: status, location: "/b")
        #expect(next?.httpMethod == expected)
        guard let next else { return }
        let kept = (content + validators + ["X-A"]).filter { next.value(forHTTPHeaderField: $0) != nil }
        #expect(kept == (method == expected ? content : []) + ["X-A"])
        #expect((next.httpBody != nil) == (method == expected))
    }

    @Test(
        "A redirect never leads to a connection that is less protected",
        arguments: [("https", "http", false), ("https", "https", true), ("http", "https", true)])
    func downgrade(from: String, to: String, isFollowed: Bool) {
        let request = URLRequest(url: url("\(from)://h/a"))
        let next = RedirectPolicy().next(after: request, status: 302, location: "\(to)://h/b")
        #expect((next != nil) == isFollowed)
    }
}
