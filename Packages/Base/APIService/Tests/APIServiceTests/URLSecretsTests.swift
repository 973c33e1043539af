import APIService
import APITransport
import Foundation
import Testing

@Suite("URLs that may be sent, and URLs that may carry secrets")
struct URLSecretsTests {
    @Test(
        "A URL is safe for secrets if its connection is encrypted or stays on this machine",
        arguments: [
            ("https://a.example/x", true), ("HTTPS://a.example", true), ("http://localhost:8080", true),
            ("http://127.0.0.1", true), ("http://[::1]:80/x", true), ("http://LocalHost", true),
            ("http://a.example", false), ("http://localhost.a.example", false), ("ftp://localhost", false),
            ("localhost", false),
        ])
    func isSafe(url: String, isSafe: Bool) throws {
        #expect(try #require(URL(string: url)).isSafeForSecrets == isSafe)
    }

    @Test(
        "A URL can be sent if its port is empty or from 1 to 65535",
        arguments: [
            ("http://h:/a", true), ("http://h:1/", true), ("http://h:65535/", true),
            ("http://h:65536/", false),
            ("http://h:0/", false), ("http://h:99999999999999999999/", false),
        ])
    func port(url: String, isSendable: Bool) throws {
        #expect((try #require(URL(string: url)).forHTTP != nil) == isSendable)
    }
}
