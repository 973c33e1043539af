import APIService
import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension APIClientConformance {
    static let bodies = [
        Check("a file is uploaded completely, with progress up to its size") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            let content = Data((0..<300_000).map { UInt8($0 % 251) })
            try await withFile(content) { file in
                let seen = Recorded<[APIProgress]>([])
                let (error, body) = await upload(client, server, .file(file)) { progress in
                    seen.update { $0.append(progress) }
                }
                try expect(error == nil, "\(error as Any)")
                try expect(body.suffix(content.count) == content, "the server got a different body")
                try expect(
                    seen.value.allSatisfy { $0.direction == .upload }
                        && seen.value.last?.completed == Int64(content.count), "\(seen.value)")
            }
        },
        Check("a sequence is uploaded completely, and its error is a local error") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            let pieces = (0..<30).map { Data(repeating: $0, count: 10_000) }
            @Sendable func sequence() -> AsyncStream<Data> {
                AsyncStream { continuation in
                    for piece in pieces { continuation.yield(piece) }
                    continuation.finish()
                }
            }
            for length in [nil, Int64(300_000)] {
                let (error, body) = await upload(client, server, .stream(length: length, sequence))
                try expect(error == nil, "\(error as Any)")
                try expect(body.suffix(300_000) == Data(pieces.joined()), "the server got a different body")
            }
            let broken = APIUpload.stream {
                sequence().map { piece throws in
                    guard piece.first != 9 else { throw Violation(description: "broken") }
                    return piece
                }
            }
            guard case .local(is Violation) = await upload(client, server, broken).error else {
                throw Violation(description: "the sequence's error is not a local error")
            }
        },
        Check(
            "a download replaces the file at its destination, unless it fails or its body is truncated"
        ) {
            client, front in
            let server = try LoopbackServer.faulty(front: front)
            try await withFile(Data("old".utf8)) { file in
                let missing = await download(client, server.url("/status/404"), to: file)
                try expect(try missing.result.get() == .data(Data("status 404".utf8)), "\(missing)")
                try expect(try Data(contentsOf: file) == Data("old".utf8), "the file was overwritten")
                let done = await download(client, server.url("/file"), to: file)
                try expect(try done.result.get() == .file(file), "\(done)")
                try expect(try Data(contentsOf: file) == LoopbackServer.fileContent, "wrong bytes")
                let cut = await download(client, server.url("/file?cut=100"), to: file)
                guard case .failure = cut.result else {
                    throw Violation(description: "a truncated download was reported as complete")
                }
                try expect(try Data(contentsOf: file) == LoopbackServer.fileContent, "the file was damaged")
            }
        },
        Check("the head, the pieces and the end arrive in order") { client, front in
            let server = try LoopbackServer.faulty(front: front)
            let events = Recorded<[String]>([])
            let _: Bool = await withCheckedContinuation { waiter in
                client.createStreamRequest(
                    request: request(server.url("/events")), upload: nil, progressHandler: nil
                ) { event in
                    switch event {
                    case .head(let head): events.update { $0.append("\(head.statusCode)") }
                    case .piece: events.update { if $0.last != "piece" { $0.append("piece") } }
                    case .end(let error):
                        events.update { $0.append(error.map { "\($0)" } ?? "end") }
                        waiter.resume(returning: true)
                    }
                }.resume()
            }
            try expect(events.value == ["200", "piece", "end"], "\(events.value)")
        },
    ]

    static func upload(
        _ client: any APIStreamingClient, _ server: LoopbackServer, _ upload: APIUpload,
        path: String = "/echo",
        progressHandler: APIProgressHandler? = nil
    ) async -> (error: APITransportError?, body: Data) {
        let body = Recorded(Data())
        let error: APITransportError? = await withCheckedContinuation { waiter in
            client.createStreamRequest(
                request: request(server.url(path)) { $0.httpMethod = "POST" }, upload: upload,
                progressHandler: progressHandler
            ) { event in
                switch event {
                case .head: break
                case .piece(let piece): body.update { $0 += piece }
                case .end(let error): waiter.resume(returning: error)
                }
            }.resume()
        }
        return (error, body.value)
    }

    private static func download(_ client: any APIClient, _ url: URL, to file: URL) async
        -> APIDownloadResponse
    {
        await withCheckedContinuation { waiter in
            client.createDownloadRequest(request: request(url), to: { _ in file }, progressHandler: nil) {
                waiter.resume(returning: $0)
            }.resume()
        }
    }

    static func withFile(_ content: Data, _ body: (URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "conformance-\(UUID().uuidString)")
        try content.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file)
    }
}
