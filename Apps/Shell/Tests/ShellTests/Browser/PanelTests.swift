import Foundation
import Testing

@testable import Demo

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The panel with what happened")
struct PanelTests {
    private func call(_ caller: String?, _ callee: String, isAbsent: Bool = false) -> ModuleCall {
        var call = ModuleCall(way: .api, caller: caller, callee: callee, name: "\(callee)Api")
        (call.file, call.line, call.isAbsent) = ("Ride/RideService.swift", 7, isAbsent)
        return call
    }

    /// The HTML of one tap with these calls.
    private func tap(_ calls: ModuleCall...) -> String {
        let diary = Diary()
        diary.begin("A tap")
        for call in calls { diary.note(call) }
        return PanelHTML(diary: diary).panel
    }

    @Test("The columns stand in the order of the layers, whoever calls first")
    func columns() {
        let calls = [
            call("User", "Logger"), call("Gate", "Ride"), call("Demo", "Home"), call("Added", "User"),
            ModuleCall(way: .request, caller: "Ride", callee: ModuleCall.server, name: "GET /wallet"),
            ModuleCall(way: .notification, caller: nil, callee: "Notifications", name: "N"),
        ]
        let names = ["Demo", "Home", "Ride", "Gate", "Added", "User", "Logger", ModuleCall.server]
        #expect(PanelColumns(of: calls).names == names)
        #expect(PanelColumns(of: calls.reversed()).names == names)
    }

    @Test("A line says who called whom, with file and line, and draws the arrow from column to column")
    func line() {
        var asked = call("Ride", "Gate")
        (asked.member, asked.words) = ("code(for:)", "for the passenger's code")
        let html = tap(call("Demo", "Ride"), asked, call("Gate", "Ride"))
        // The columns of App, Ride and Gate are 2.4, 2.9 and 2.9 wide.
        #expect(html.contains("style=\"grid-template-columns:2.4rem 2.9rem 2.9rem\""))
        #expect(html.contains("<i class=\"arrow right\" style=\"left:1.2rem;width:2.65rem\">"))
        #expect(html.contains("<i class=\"arrow right\" style=\"left:3.85rem;width:2.9rem\">"))
        #expect(html.contains("<i class=\"arrow left\" style=\"left:3.85rem;width:2.9rem\">"))
        let names = "<b class=\"business\">Ride</b> asks <b class=\"business\">Gate</b>"
        #expect(html.contains("\(names) for the passenger's code"))
        #expect(html.contains("<code>code(for:)</code> "))
        #expect(html.contains("<b class=\"business\">Gate</b> looks up <b class=\"business\">Ride</b>"))
        #expect(html.contains("RideService.swift:7"))
    }

    @Test("Equal calls are one line with their number, and other callers, errors and callees are not equal")
    func fold() {
        var failed = call("Ride", "User")
        failed.error = "E"
        var elsewhere = call("Ride", "User")
        elsewhere.line = 9
        let calls = [
            call("Ride", "User"), call("Gate", "User"), failed, elsewhere, call("Ride", "User"),
        ]
        let lines = FoldedCall.lines(of: calls.map(TapGroup.Event.call))
        let folded = lines.compactMap { if case .call(let folded) = $0 { folded } else { nil } }
        #expect(folded.map(\.count) == [3, 1, 1])
        #expect(folded[0].places.map(\.line) == [7, 9])
    }

    @Test("Equal calls with equal calls during them are one line, and with others they are not")
    func foldNested() {
        func calls(_ callees: [String], from index: Int) -> [TapGroup.Event] {
            let inner = callees.map { callee in
                var call = call("ServiceOpen", callee)
                call.parent = index
                return TapGroup.Event.call(call)
            }
            return [.call(call("Ride", "ServiceOpen"))] + inner
        }
        let events =
            calls(["User"], from: 0) + calls(["User", "User"], from: 2) + calls(["PayType"], from: 5)
        let lines = FoldedCall.lines(of: events)
        let folded = lines.compactMap { if case .call(let folded) = $0 { folded } else { nil } }
        #expect(folded.map(\.call.callee) == ["ServiceOpen", "User", "ServiceOpen", "PayType"])
        #expect(folded.map(\.count) == [2, 3, 1, 1] && folded.map(\.depth) == [0, 1, 0, 1])
    }

    @Test("An absent module, a refusal and an error are marked, and their texts are escaped")
    func refusals() {
        let diary = Diary()
        diary.begin("A & B")
        diary.note(call("Ride", "Gate", isAbsent: true))
        diary.note(.refused("<b>"))
        let html = PanelHTML(diary: diary).panel
        #expect(html.contains("class=\"call api bad\"") && html.contains("not in this app"))
        #expect(html.contains("<li class=\"said bad\">&#60;b&#62;</li>"))
        #expect(html.contains("A &#38; B") && html.contains("<span class=\"errors\">1 error</span>"))
    }

    @Test("The legend explains each layer and each kind of arrow")
    func legend() throws {
        let html = PanelHTML(diary: Diary()).panel
        for layer in PanelColumns.Layer.allCases { #expect(html.contains("<span class=\"\(layer)\">")) }
        for way in [ModuleCall.Way.api, .route, .request, .notification] {
            #expect(
                html.contains(try Regex("<span class=\"\(way)\"><i class=\"arrow (right|dot)\"></i> \\w+")))
        }
    }

    @Test("The newest tap is open, and the others are folded")
    func newest() {
        let diary = Diary()
        for title in ["First", "Second", "Third"] {
            diary.begin(title)
            diary.note(.told(title))
        }
        // A tap during which nothing has happened is not shown.
        diary.begin("Fourth")
        let html = PanelHTML(diary: diary).panel
        let taps = html.matches(of: /id="tap-(\d)"[^>]*?( open)?>/).map { ($0.output.1, $0.output.2 != nil) }
        #expect(taps.map(\.0) == ["3", "2", "1"] && taps.map(\.1) == [true, false, false])
    }

    @Test("The stream sends each tap again when it has changed", .timeLimit(.minutes(10)))
    func stream() async throws {
        let diary = Diary()
        let server = try await PageServer(port: 0, tabs: [], diary: diary, complain: { _ in }) { _, _ in
            throw CancellationError()
        }
        defer { server.stop() }
        diary.begin("A tap")
        diary.note(call("Demo", "Ride"))
        let events = Events(server.address.appending(path: "calls"))
        var received = ""
        var isSent = false
        for await part in events.parts {
            received += part
            if received.contains("Ride"), !isSent {
                #expect(!received.contains("Gate"))
                diary.note(call("Ride", "Gate"))
                isSent = true
            }
            if received.contains("Gate") { break }
        }
        #expect(received.contains("id: 2\ndata: <details class=\"tap\" id=\"tap-1\""))
        #expect(received.contains("id: 3\ndata: <details class=\"tap\" id=\"tap-1\""))
    }
}

@Suite("The record of what happened")
struct DiaryTests {
    @Test("What happens in two taps at the same time belongs to the tap of its task")
    func tasks() async {
        let diary = Diary()
        await diary.tap("First") {
            let first = Diary.scope
            await diary.tap(diary.begin("Second")) { _ = diary.note(.told("in the second")) }
            diary.note(.told("in the first"))
            #expect(Diary.scope == first)
            // A task of a queue belongs to no tap, so to the newest one.
            await Task.detached { _ = diary.note(.told("elsewhere")) }.value
        }
        let texts = diary.groups.map(\.events)
        #expect(texts == [[.told("in the first")], [.told("in the second"), .told("elsewhere")]])
    }

    @Test("Before the first tap, nothing is recorded")
    func early() {
        let diary = Diary()
        #expect(diary.note(.told("early")) == nil)
        #expect(diary.groups.isEmpty)
    }

    @Test(
        "Each look at the record has something new, also after many events at once",
        .timeLimit(.minutes(10)))
    func burst() {
        let diary = Diary()
        diary.begin("A tap")
        var looks: [Int] = []
        var version = 0
        // A lost signal becomes a look without anything new, so the test fails and does not wait without an end.
        diary.follow(pause: 200) {
            let (groups, now) = diary.changes(since: version)
            version = now
            looks.append(groups.first?.events.count ?? -1)
            if looks.count == 1 { for number in 0..<100 { diary.note(.told("\(number)")) } }
            if looks.count == 2 { DispatchQueue.global().async { diary.note(.told("the last")) } }
            return looks.count < 3
        }
        #expect(looks == [0, 100, 101])
    }

    @Test("A long run forgets the oldest taps, and an event of a forgotten tap is dropped")
    func limit() async {
        let diary = Diary()
        await diary.tap("The oldest") {
            for number in 0..<Diary.limit { diary.begin("\(number)") }
            #expect(diary.note(.told("late")) == nil)
        }
        #expect(diary.groups.count == Diary.limit)
        #expect(diary.groups.first?.title == "0")
        #expect(!diary.groups.contains { !$0.events.isEmpty })
        let version = diary.version
        diary.note(.told("new"))
        #expect(diary.changes(since: version).groups.map(\.number) == [Diary.limit + 1])
        #expect(diary.changes(since: .max).groups.isEmpty)
    }

    @Test("A call outside any tap belongs to the newest tap, even if its Api was looked up in an earlier one")
    func lookUp() {
        let diary = Diary()
        diary.begin("First")
        let lookedUp = ModuleCall(way: .api, caller: "Ride", callee: "Logger", name: "LoggerApi")
        let lookUp = LookUp(position: diary.note(lookedUp), call: lookedUp)
        diary.begin("Second")
        let recorder = CallRecorder(diary: diary, callee: "Logger", lookUp: lookUp)
        recorder.record("log()", "to write to the log") {}
        #expect(diary.groups.map { $0.calls.map(\.member) } == [[nil], ["log()"]])
        #expect(diary.groups.last?.calls.first?.seconds != nil)
    }

    @Test("A tap without an end keeps a limited number of events")
    func events() {
        let diary = Diary()
        diary.begin("Endless")
        for number in 0..<TapGroup.limit + 10 { diary.note(.told("\(number)")) }
        #expect(diary.groups[0].events.count == TapGroup.limit)
    }
}

/// The body of a response as it arrives.
final class Events: NSObject, URLSessionDataDelegate, Sendable {
    let parts: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init(_ url: URL) {
        (parts, continuation) = AsyncStream.makeStream()
        super.init()
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        continuation.onTermination = { _ in session.invalidateAndCancel() }
        session.dataTask(with: url).resume()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        continuation.yield(String(decoding: data, as: UTF8.self))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        continuation.finish()
    }
}
