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
            let day = try Shell.day(data: try TemporaryFolder(), environment: ["HOME_BANNER_URL": url])
            let banner = day["Tap the banner"]
            #expect(banner.first == "\"Hello\", from http://127.0.0.1:\(server.port)\(asked)")
            #expect(banner.last == "The banner: shows \"https://hello.example\"")
            #expect(day.server.contains("127.0.0.1:\(server.port)"))
            let request = try #require(server.requests.last)
            #expect(request.target == asked)
            // The operator's server redirects to this server, which must not get the token.
            #expect(!request.fields.contains { $0.value.contains("t-8fd1") })
        }
        // Only the banner is requested from this server.
        #expect(server.requests.count == 2)
    }

    @Test("Control characters and markup in a banner are escaped in the terminal and the diagram")
    func hostile() throws {
        let server = try LoopbackServer { _, connection in
            let banner = #"{"title": "\u001b[31mHi", "link": "http://x.example/;#<b>\u001b"}"#
            return connection.answer(
                200, ["Content-Type": "application/json"],
                Data(#"{"code": 0, "desc": "", "data": \#(banner)}"#.utf8))
        }
        defer { server.stop() }
        let environment = ["HOME_BANNER_URL": "http://127.0.0.1:\(server.port)"]
        let run = try Shell.run([], environment: environment)
        #expect(run.output.contains("\\u{1B}[31mHi"))
        #expect(!run.output.contains("\u{1B}"))
        let trace = try Shell.run(["trace", "--format", "mermaid"], environment: environment)
        #expect(try Diagram(trace.output).notes.contains { $0.contains("x.example/#59;#35;#60;b#62;") })
    }

    @Test("The sample day reports an unreachable banner server and continues")
    func away() throws {
        let server = try LoopbackServer { _, _ in false }
        let url = "http://127.0.0.1:\(server.port)/banner"
        server.stop()
        let data = try TemporaryFolder()
        let run = try Shell.run([], data: data, environment: ["HOME_BANNER_URL": url])
        #expect(run.status == 0)
        #expect(run.output.contains("Refused. No banner from \(url):"))
        #expect(run.output.contains("15. The same page in three ways"))
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
