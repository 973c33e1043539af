import Foundation
import Testing

@testable import Demo

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The live view of the calls")
struct LiveCallsTests {
    private func call(_ caller: String?, _ callee: String, isAbsent: Bool = false) -> Diary.Entry {
        .call(
            Diary.Call(
                way: .api, caller: caller, callee: callee, name: "\(callee)Api",
                file: "Ride/RideService.swift", line: 7, isAbsent: isAbsent))
    }

    @Test("A row says who called whom, with file and line, and draws the arrow from column to column")
    func row() {
        let diagram = LiveDiagram()
        let html = diagram.rows(of: [call("Demo", "Ride"), call("Ride", "Gate"), call("Gate", "Ride")])
        #expect(diagram.names == ["Demo", "Ride", "Gate"])
        #expect(html.contains("<li class=\"api right\" style=\"--a:1;--w:2\">"))
        #expect(html.contains("<li class=\"api right\" style=\"--a:2;--w:2\">"))
        #expect(html.contains("<li class=\"api left\" style=\"--a:2;--w:2\">"))
        #expect(html.contains("Ride to Gate: </span><code>GateApi</code> <small>RideService.swift:7</small>"))
    }

    @Test("An absent module, a refusal and an error are marked, and their texts are escaped")
    func refusals() {
        let diagram = LiveDiagram()
        let html = diagram.rows(of: [call("Ride", "Gate", isAbsent: true), .refused("<b>"), .step("A & B")])
        #expect(html.contains("class=\"absent right\"") && html.contains("GateApi (not in this app)"))
        #expect(html.contains("<li class=\"said bad\"><span>&#60;b&#62;</span></li>"))
        #expect(html.contains("A &#38; B"))
    }

    @Test("The stream sends the calls of before, and then each call as it happens")
    func stream() async throws {
        let diary = Diary()
        let server = try await PageServer(port: 0, tabs: [], diary: diary, complain: { _ in }) { _, _ in
            throw CancellationError()
        }
        defer { server.stop() }
        diary.note(call("Demo", "Ride"))
        let events = Events(server.address.appending(path: "calls"))
        var received = ""
        var isSent = false
        for await part in events.parts {
            received += part
            if received.contains("RideApi"), !isSent {
                #expect(!received.contains("GateApi"))
                diary.note(call("Ride", "Gate"))
                isSent = true
            }
            if received.contains("GateApi") { break }
        }
        #expect(received.contains("id: 1\ndata: <li class=\"names\""))
        #expect(received.contains("id: 2\ndata: <li class=\"names\""))
    }

    @Test("Each look at the record has something new, also after many entries at once")
    func burst() {
        let diary = Diary()
        var looks: [Int] = []
        var position = 0
        diary.follow(pause: 3600) {
            let (entries, end) = diary.entries(from: position)
            position = end
            looks.append(entries.count)
            if looks.count == 1 { for number in 0..<100 { diary.note(.told("\(number)")) } }
            if looks.count == 2 { DispatchQueue.global().async { diary.note(.told("the last")) } }
            return !entries.contains(.told("the last"))
        }
        #expect(looks == [0, 100, 1])
    }

    @Test("A long run forgets the oldest calls, and positions still count from the start")
    func limit() {
        let diary = Diary()
        for number in 0...Diary.limit * 2 { diary.note(.told("\(number)")) }
        #expect(diary.entries.count == Diary.limit + 1)
        let (entries, end) = diary.entries(from: Diary.limit * 2)
        #expect(entries == [.told("\(Diary.limit * 2)")])
        #expect(end == Diary.limit * 2 + 1)
        #expect(diary.entries(from: 0).entries.first == .told("\(Diary.limit)"))
        #expect(diary.entries(from: .max).entries.isEmpty)
        #expect(diary.entries(from: -1).entries.count == Diary.limit + 1)
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
