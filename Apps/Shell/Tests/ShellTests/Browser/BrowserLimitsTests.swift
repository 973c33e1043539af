import Foundation
import Pages
import Testing

@testable import Demo

@Suite("What the browser's server refuses and forgets")
struct BrowserLimitsTests {
    @Test(
        "A special character of HTML is escaped even where a combining mark makes it another character of Swift",
        arguments: ["\"", "<", ">", "&", "'"])
    func escaping(_ special: String) {
        let text = "a\(special)\u{301}b"
        #expect(!text.escaped.unicodeScalars.dropFirst(2).starts(with: "\u{301}".unicodeScalars))
        #expect(text.escaped.hasPrefix("a&") && text.escaped.hasSuffix(";\u{301}b"))
    }

    @Test("A text cannot begin a new line of an event", arguments: ["\r\n", "\r", "\n", "\u{0}"])
    func lines(_ end: String) {
        let diary = Diary()
        diary.begin("a\(end)data: b")
        diary.note(.told("a\(end)data: b"))
        let row = PanelHTML(diary: diary).tap(diary.groups[0], isOpen: true)
        #expect(!row.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test("A frame, image, script or fetch of another site gets nothing, but a link of it opens a page")
    func crossSite() async throws {
        try await SamplePages.browsing { (surfer, _, _) async throws in
            for site in ["cross-site", "same-site"] {
                for (mode, goal, status) in [
                    ("no-cors", "image", 403), ("cors", "empty", 403), ("navigate", "iframe", 403),
                    ("navigate", "document", 200),
                ] {
                    let fields = [
                        "Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": goal,
                    ]
                    #expect(
                        try await surfer.send("/user_vc", nil, fields).status == status, "\(site) \(goal)")
                }
                // The position is past the end, because the stream of a valid one would not end.
                let link = ["Sec-Fetch-Site": site, "Sec-Fetch-Dest": "document"]
                #expect(try await surfer.send("/calls?after=1000000", nil, link).status == 403)
            }
            let direct = ["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"]
            #expect(try await surfer.send("/user_vc", nil, direct).status == 200)
        }
    }

    @Test("A page of the app may lead to a route that is closed to the address bar and to other sites")
    func origins() async throws {
        try await SamplePages.browsing { (surfer, _, _) async throws in
            for (site, status) in [
                ("same-origin", 200), ("none", 404), ("cross-site", 404), ("same-site", 404),
            ] {
                let fields = [
                    "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
                ]
                #expect(try await surfer.send("/inner_vc", nil, fields).status == status, "\(site)")
            }
            #expect(try await surfer.send("/inner_vc").status == 404)
        }
    }

    @Test(
        "A stream's position from outside the record is no error",
        arguments: [
            "9223372036854775807", "1000000",
        ])
    func positions(_ position: String) async throws {
        try await SamplePages.browsing { (surfer, _, _) async throws in
            // 204 tells the browser not to ask again.
            #expect(try await surfer.send("/calls?after=\(position)").status == 204)
            #expect(try await surfer.send("/user_vc").status == 200)
        }
    }

    @Test("A request that is too long ends its connection, and the server goes on")
    func tooLong() async throws {
        try await SamplePages.browsing { (surfer, _, _) async throws in
            let long = String(repeating: "x", count: 1 << 20)
            await #expect(throws: URLError.self) { try await surfer.send("/user_vc", long) }
            await #expect(throws: URLError.self) { try await surfer.send("/user_vc", nil, ["X-Long": long]) }
            #expect(try await surfer.send("/user_vc").status == 200)
        }
    }

    @Test("The requests of another site keep no connections that the app's own pages need")
    func refusedConnections() async throws {
        try await SamplePages.browsing { (surfer, _, server) async throws in
            var others: [Surfer] = []
            for _ in 0..<40 {
                let other = Surfer(at: server.address)
                let answer = try await other.send("/user_vc", nil, ["Sec-Fetch-Site": "cross-site"])
                #expect(answer.status == 403 && answer.fields["connection"] == "close")
                others.append(other)
            }
            #expect(try await surfer.send("/user_vc").status == 200)
            withExtendedLifetime(others) {}
        }
    }

    @Test("Many browsers follow the calls, but not any number")
    func streams() async throws {
        try await SamplePages.browsing { (surfer, _, server) async throws in
            var streams: [Events] = []
            for _ in 0..<32 {
                let events = Events(server.address.appending(path: "calls"))
                for await _ in events.parts { break }
                streams.append(events)
            }
            await #expect(throws: URLError.self) { try await surfer.send("/user_vc") }
            withExtendedLifetime(streams) {}
        }
    }

    @Test("A password is kept neither in the values of a failed form nor in the record")
    @MainActor
    func passwords() async throws {
        struct Form: Page {
            let title = "Log in"
            func contents() -> [PageContent] {
                [
                    .field(PageField("name", label: "Name")),
                    .field(PageField("password", label: "Password", .password)),
                    .button("Log in", action: "in"),
                ]
            }
            func perform(_ tap: PageTap) throws -> PageStep { throw PageError("Wrong.") }
        }
        let diary = Diary()
        let visits = PageVisits(diary: diary, complain: { _ in }) { _, _ in Form() }
        let place = PageAddress("user_vc")
        let token = await visits.show(place, from: nil).token
        let form = [
            FormName.token: token, FormName.action: "in", "name": "Ann", "password": "secret-1",
        ]
        let next = await visits.post(form, to: place)
        let screen = await visits.show(next.address, done: next.done, from: nil)
        #expect(screen.outcome.failure?.sentence == "Wrong.")
        #expect(screen.outcome.values == ["name": "Ann"])
        #expect(!"\(diary.groups)".contains("secret-1"))
    }

    @Test("A long address is kept shortened in the record")
    @MainActor
    func longAddress() async throws {
        let diary = Diary()
        let visits = PageVisits(diary: diary, complain: { _ in }) { _, _ in throw PageError("No.") }
        let long = PageAddress(String(repeating: "x", count: 5000))
        _ = await visits.show(long, from: nil)
        #expect("\(diary.groups)".count < 1000)
    }

    @Test("Forms posted again and again from one showing do not fill the memory")
    @MainActor
    func manyPosts() async throws {
        struct Counter: Page {
            let title = "Counter"
            func contents() -> [PageContent] { [.button("Count", action: "count")] }
            func perform(_ tap: PageTap) -> PageStep { .stay(saying: "Counted.") }
        }
        let diary = Diary()
        let visits = PageVisits(diary: diary, complain: { _ in }) { _, _ in Counter() }
        let place = PageAddress("count_vc")
        let token = await visits.show(place, from: nil).token
        for number in 0..<200 {
            let form = [FormName.token: token, FormName.action: "count", "number": "\(number)"]
            _ = await visits.post(form, to: place)
        }
        #expect(diary.groups.flatMap(\.events).count { $0 == .told("Counted.") } == 100)
    }
}
