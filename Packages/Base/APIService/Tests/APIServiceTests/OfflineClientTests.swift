import Foundation
import TestSupport
import Testing

@testable import APIServiceTesting
@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The clients for tests, without a network", .timeLimit(.minutes(10)), .waitLimit)
struct OfflineClientTests {
    private struct Lost: Error {}

    private func request(_ path: String = "/") throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "https://a.example\(path)")))
    }

    /// The text of the response to a request, or its error.
    private func answer(
        of client: any APIStreamingClient, to request: URLRequest, upload: APIUpload? = nil
    ) async -> String {
        switch await client.collected(request, upload: upload, limit: nil, nil).result {
        case .success(let body): String(decoding: body, as: UTF8.self)
        case .failure(let error): "\(error)"
        }
    }

    private func replaying(_ recorder: ReplayAPIClient) throws -> ReplayAPIClient {
        let folder = try TemporaryFolder(), file = folder.url.appending(path: "recording.json")
        try recorder.save(to: file)
        return try ReplayAPIClient(replaying: file)
    }

    @Test(
        "A replaying client gives each request its recorded responses in order, and then the last one again")
    func order() async throws {
        let count = Shared(0)
        let recorder = ReplayAPIClient(
            recording: StubAPIClient { _ in
                count.update { $0 += 1 }
                return .text("\(count.value)")
            })
        for path in ["/a", "/b", "/a", "/a"] { _ = await answer(of: recorder, to: try request(path)) }
        let replayer = try replaying(recorder)
        var answers: [String] = []
        for path in ["/a", "/a", "/a", "/a", "/b", "/b"] {
            answers.append(await answer(of: replayer, to: try request(path)))
        }
        #expect(answers == ["1", "3", "4", "4", "2", "2"])
        #expect(await answer(of: replayer, to: try request("/c")) == "broken: GET https://a.example/c")
    }

    @Test("A recording has the head of a response without its secrets, and the pieces of its body")
    func secrets() async throws {
        let stub = StubAPIClient(credentialFields: ["X-Session"]) { _ in
            StubAPIClient.Answer(
                statusCode: 201,
                headers: ["Set-Cookie": "a=secret", "X-Session": "secret", "X-Kept": "kept"],
                pieces: [Data("one ".utf8), Data("two".utf8)])
        }
        let recorder = ReplayAPIClient(recording: stub)
        #expect(recorder.credentialFields.contains("x-session"))
        _ = await answer(of: recorder, to: try request())
        let replayer = try replaying(recorder)
        #expect(replayer.credentialFields == ["authorization", "cookie", "proxy-authorization"])
        let response = await replayer.collected(try request(), limit: nil, nil)
        let head = try #require(response.response)
        #expect(head.statusCode == 201)
        #expect(
            ["Set-Cookie", "X-Session", "X-Kept"].map { head.value(forHTTPHeaderField: $0) }
                == ["redacted", "redacted", "kept"])
        #expect(try response.result.get() == Data("one two".utf8))
    }

    @Test("A recorded failure breaks the replayed exchange after the same head and pieces")
    func failure() async throws {
        let recorder = ReplayAPIClient(
            recording: StubAPIClient { request in
                request.url?.path() == "/cut"
                    ? StubAPIClient.Answer(pieces: [Data("half".utf8)], error: .broken(Lost()))
                    : .failure(.broken(Lost()))
            })
        for path in ["/cut", "/lost"] { _ = await answer(of: recorder, to: try request(path)) }
        let replayer = try replaying(recorder)
        for (path, status) in [("/cut", 200), ("/lost", nil)] {
            let response = await replayer.collected(try request(path), limit: nil, nil)
            #expect(response.response?.statusCode == status)
            guard case .failure(.broken(let error as ReplayAPIClient.NotRecorded)) = response.result else {
                Issue.record("\(response)")
                continue
            }
            #expect(error.description.contains("Lost()"))
        }
    }

    @Test("A cancelled exchange is not recorded")
    func cancelled() async throws {
        let recorder = ReplayAPIClient(recording: StubAPIClient { _ in .text("late") })
        let task = recorder.createStreamRequest(
            request: try request(), upload: nil, progressHandler: nil, eventHandler: { _ in })
        task.cancel()
        #expect(await answer(of: try replaying(recorder), to: try request()).hasPrefix("broken: "))
    }

    @Test("A replaying client tells requests apart by their methods and bodies")
    func bodies() async throws {
        let recorder = ReplayAPIClient(
            recording: StubAPIClient { .text(String(decoding: $0.httpBody ?? Data(), as: UTF8.self)) })
        @Sendable func pieces() -> AsyncStream<Data> {
            AsyncStream { continuation in
                continuation.yield(Data("stream".utf8))
                continuation.finish()
            }
        }
        let folder = try TemporaryFolder()
        try Data("file".utf8).write(to: folder.url.appending(path: "file"))
        var put = try request()
        put.httpMethod = "PUT"
        let uploads: [APIUpload?] = [
            nil, .data(Data("data".utf8)), .stream(length: 6, pieces), .stream(length: nil, pieces),
            .file(folder.url.appending(path: "file")),
        ]
        for upload in uploads { _ = await answer(of: recorder, to: put, upload: upload) }
        let replayer = try replaying(recorder)
        var answers: [String] = []
        for upload in uploads { answers.append(await answer(of: replayer, to: put, upload: upload)) }
        #expect(answers == ["", "data", "stream", "stream", "file"])
        let others: [APIUpload] = [
            .data(Data("other".utf8)), .stream(length: 7, pieces), .file(folder.url.appending(path: "other")),
        ]
        for upload in others {
            #expect(await answer(of: replayer, to: put, upload: upload).hasPrefix("broken: PUT "))
        }
        // A body of the request is part of its name, too.
        put.httpBody = Data("body".utf8)
        #expect(await answer(of: replayer, to: put).hasPrefix("broken: PUT "))
        #expect(await answer(of: replayer, to: try request()).hasPrefix("broken: GET "))
    }

    @Test("A stub reports the progress of a body once, and of an empty body never", arguments: ["b", ""])
    func progress(body: String) async throws {
        let stub = StubAPIClient { _ in .json("{}") }, seen = Shared<[APIProgress]>([])
        let response = await stub.collected(
            try request(), upload: .data(Data(body.utf8)), limit: nil,
            { progress in seen.update { $0.append(progress) } })
        #expect(seen.value == (body.isEmpty ? [] : [APIProgress(.upload, completed: 1, total: 1)]))
        #expect(response.response?.statusCode == 200)
        #expect(response.response?.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(stub.requests.map(\.httpBody) == [Data(body.utf8)])
    }

    @Test("With one version of Swift, a seed and a number give the same changed response on every machine")
    func mutatedResponses() {
        let responses = MutatedResponses(seed: 36)
        var hash = UInt64(0)
        for number in 0..<2_000 {
            for byte in responses[number] { hash = hash &* 31 &+ UInt64(byte) }
        }
        // Another version of Swift may choose other random numbers, and so another sum.
        #expect(hash == 12_379_767_490_070_059_238)
        #expect(MutatedResponses(seed: 37)[0] != responses[0])
    }

    @Test("A client is sent a request for each changed response, with a time limit of two seconds")
    func mutatedRequests() async throws {
        let stub = StubAPIClient { _ in .text("") }, begun = Shared<[Int]>([])
        try await MutatedResponses(seed: 36).send(to: stub, numbers: 3..<6) { number in
            begun.update { $0.append(number) }
        }
        #expect(begun.value == [3, 4, 5])
        #expect(stub.requests.map(\.timeoutInterval) == [2, 2, 2])
    }
}
