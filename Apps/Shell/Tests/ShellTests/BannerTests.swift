import APIServiceTesting
import Foundation
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("The environment variable HOME_BANNER_URL")
struct BannerTests {
    @Test("The banner is requested from HOME_BANNER_URL, at /home/banner if the URL has no path")
    func real() throws {
        let server = try LoopbackServer { _, connection in
            connection.answer(
                200, ["Content-Type": "application/json"],
                Data(#"{"code": 0, "desc": "", "data": {"title": "Hello", "link": "hello.example"}}"#.utf8))
        }
        defer { server.stop() }
        for (path, asked) in [("/banners/today?n=1", "/banners/today?n=1"), ("", "/home/banner")] {
            let url = "http://127.0.0.1:\(server.port)\(path)"
            let earlier = server.requests.count
            let day = try Shell.day(data: try TemporaryFolder(), environment: ["HOME_BANNER_URL": url])
            let banner = day["Tap the banner"]
            #expect(banner.first == "https://hello.example: This page is on the web:")
            #expect(day.server.contains("127.0.0.1:\(server.port)"))
            // Only the banner is requested from this server.
            let requests = server.requests.dropFirst(earlier)
            #expect(!requests.isEmpty && requests.allSatisfy { $0.target == asked })
            // The operator's server redirects to this server, which must not get the token.
            #expect(!requests.contains { $0.fields.contains { $0.value.contains("t-8fd1") } })
        }
    }

    @Test("Control characters and markup in a banner are escaped in the terminal")
    func hostile() throws {
        let server = try LoopbackServer { _, connection in
            let banner = #"{"title": "Hi", "link": "x.example/<b>\u001b[31m"}"#
            return connection.answer(
                200, ["Content-Type": "application/json"],
                Data(#"{"code": 0, "desc": "", "data": \#(banner)}"#.utf8))
        }
        defer { server.stop() }
        let environment = ["HOME_BANNER_URL": "http://127.0.0.1:\(server.port)"]
        let run = try Shell.run([], environment: environment)
        #expect(run.output.contains("https://x.example/<b>\\u{1B}[31m"))
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test("The sample day reports an unreachable banner server and continues")
    func away() throws {
        let server = try LoopbackServer { _, _ in false }
        let url = "http://127.0.0.1:\(server.port)/banner"
        server.stop()
        let data = try TemporaryFolder()
        let run = try Shell.run([], data: data, environment: ["HOME_BANNER_URL": url])
        #expect(run.status == 0)
        #expect(run.output.contains(/14\. Tap the banner\n +Home: There is no news today\., \w/))
        #expect(run.output.contains("15. Read the log"))
    }

    @Test(
        "An invalid HOME_BANNER_URL is refused with exit code 2",
        arguments: ["ftp://example", "example", "http://", "http:///path", "%"])
    func bad(url: String) throws {
        let run = try Shell.run([], environment: ["HOME_BANNER_URL": url])
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.errors.contains("HOME_BANNER_URL is '\(url)'"))
        #expect(run.errors.contains("Try: HOME_BANNER_URL=http"))
    }
}
#endif
