import APIService
import APITransfers
import APITransport
import Foundation
import Loopback

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Checks of responses that contain, or claim to contain, only a part of a file (RFC 9110, 14 and 15.3.7).
extension APIClientConformance {
    /// What a caller gets for a response.
    private enum Outcome {
        case delivered
        /// Delivered as data, but not as a file.
        case short
        case refused
    }

    private struct Row: Sendable {
        /// The Range field of the request.
        let asked: String?
        /// The response without its HTTP version and Content-Length.
        let head: String
        let body: String
        let outcome: Outcome

        init(_ asked: String?, _ head: String, _ body: String, _ outcome: Outcome) {
            (self.asked, self.head, self.body, self.outcome) = (asked, head, body, outcome)
        }

        func send(_ connection: LoopbackServer.Connection) -> Bool {
            connection.send("HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
    }

    private static let rows = [
        Row(nil, "206 Partial\r\nContent-Range: bytes 0-3/10", "0123", .refused),
        Row(nil, "206 Partial\r\nContent-Range: bytes 0-9/10", "0123456789", .refused),
        Row(nil, "206 Partial", "0123", .refused),
        Row(nil, "200 OK\r\nContent-Range: bytes 4-9/10", "456789", .refused),
        Row(nil, "200 OK\r\nContent-Range: bytes 0-9/10", "012345678", .refused),
        Row(nil, "200 OK\r\nContent-Range: bytes */10", "0123", .refused),
        Row(nil, "203 Copied\r\nContent-Range: bytes 0-3/10", "0123", .refused),
        Row(nil, "200 OK\r\nContent-Range: bytes 0-9/10", "0123456789", .delivered),
        Row("bytes=4-7", "206 Partial\r\nContent-Range: bytes 4-7/10", "4567", .delivered),
        Row("bytes=4-7", "206 Partial\r\nContent-Range: bytes 4-7/*", "4567", .delivered),
        Row("bytes=4-", "206 Partial\r\nContent-Range: bytes 4-9/10", "456789", .delivered),
        Row("bytes=4-20", "206 Partial\r\nContent-Range: bytes 4-9/10", "456789", .delivered),
        Row("bytes=-3", "206 Partial\r\nContent-Range: bytes 7-9/10", "789", .delivered),
        Row("bytes=-30", "206 Partial\r\nContent-Range: bytes 0-9/10", "0123456789", .delivered),
        Row("bytes=4-7", "200 OK", "0123456789", .delivered),
        Row(
            "bytes=0-1,4-5", "206 Partial\r\nContent-Type: multipart/byteranges; boundary=a", "--a",
            .delivered),
        Row("bytes=4-7", "206 Partial\r\nContent-Range: bytes 4-5/10", "45", .short),
        Row("bytes=4-", "206 Partial\r\nContent-Range: bytes 4-5/10", "45", .short),
        Row("bytes=4-", "206 Partial\r\nContent-Range: bytes 4-9/*", "456789", .short),
        Row("bytes=-3", "206 Partial\r\nContent-Range: bytes 7-8/10", "78", .short),
        Row("bytes=4-7", "206 Partial\r\nContent-Range: bytes 5-7/10", "567", .refused),
        Row("bytes=4-7", "206 Partial\r\nContent-Range: bytes 4-9/10", "456789", .refused),
        Row("bytes=4-7", "206 Partial\r\nContent-Range: bytes 4-7/10", "456", .refused),
        Row("bytes=4-7", "206 Partial\r\nContent-Range: bytes 4-7/10", "45678", .refused),
        Row("bytes=-3", "206 Partial\r\nContent-Range: bytes 0-2/10", "012", .refused),
        Row("bytes=-3", "206 Partial\r\nContent-Range: bytes 6-9/10", "6789", .refused),
        Row("bytes=4-7", "206 Partial\r\nContent-Type: multipart/byteranges; boundary=a", "--a", .refused),
        Row(
            "bytes=4-7",
            "206 Partial\r\nContent-Type: Multipart/ByteRanges; boundary=a\r\nContent-Range: bytes 4-7/10",
            "--a-",
            .refused),
        Row("bytes=4-7", "206 Partial\r\nContent-Range: items 4-7/10", "4567", .refused),
        Row("bytes=4-7", "200 OK\r\nContent-Range: bytes 4-7/10", "4567", .refused),
    ]

    /// Responses to the request for the rest, after the first response has declared ten bytes and sent four.
    private static let rests = [
        Row(nil, "206 Partial\r\nETag: \"1\"\r\nContent-Range: bytes 4-9/10", "456789", .delivered),
        Row(nil, "206 Partial\r\nETag: \"1\"\r\nContent-Range: bytes 4-9/*", "456789", .delivered),
        Row(nil, "200 OK\r\nETag: \"1\"", "0123456789", .delivered),
        Row(nil, "206 Partial\r\nETag: \"1\"\r\nContent-Range: bytes 4-5/10", "45", .refused),
        Row(nil, "206 Partial\r\nETag: \"1\"\r\nContent-Range: bytes 4-7/8", "4567", .refused),
        Row(nil, "206 Partial\r\nETag: \"1\"\r\nContent-Range: bytes 4-7/*", "4567", .refused),
        Row(nil, "206 Partial\r\nETag: \"2\"\r\nContent-Range: bytes 4-9/10", "456789", .refused),
        Row(nil, "200 OK\r\nETag: \"1\"\r\nContent-Range: bytes 4-9/10", "456789", .refused),
        Row(nil, "200 OK\r\nContent-Range: bytes 4-9/10", "456789", .refused),
        Row(nil, "206 Partial\r\nETag: \"1\"\r\nContent-Range: bytes 0-9/10", "0123456789", .refused),
    ]

    static let ranges = [
        Check("data contains the bytes that were requested, or the response is an error") { client, front in
            for row in rows {
                let server = try LoopbackServer(front: front) { _, connection in row.send(connection) }
                let result = await service(client).response(to: Part<Data>(server, row.asked)).result
                try expect(
                    (try? result.get()) == (row.outcome == .refused ? nil : Data(row.body.utf8)),
                    "\(row): \(result)")
            }
        },
        Check("a file contains the bytes that were requested, or the response is an error") { client, front in
            for row in rows {
                let server = try LoopbackServer(front: front) { _, connection in row.send(connection) }
                try await withFile(Data("old".utf8)) { file in
                    let part = Part<APIDownloadedFile>(server, row.asked, .download(APIDownload(to: file)))
                    let result = await service(client).response(to: part).result
                    let isDelivered = row.outcome == .delivered
                    try expect(
                        ((try? result.get()) != nil) == isDelivered
                            && Data(contentsOf: file) == Data((isDelivered ? row.body : "old").utf8),
                        "\(row): \(result)")
                }
            }
        },
        Check("a resumed download delivers the whole file, or fails and can be resumed") { client, front in
            for rest in rests {
                try await resume(client, front, first: "200 OK\r\nContent-Length: 10", rest)
            }
        },
        Check("a resumed download knows the length that an earlier part has declared") { client, front in
            let rest = Row(nil, "206 Partial\r\nETag: \"1\"\r\nContent-Range: bytes 6-7/8", "67", .refused)
            try await resume(
                client, front, first: "200 OK\r\nTransfer-Encoding: chunked",
                Row(nil, "206 Partial\r\nETag: \"1\"\r\nContent-Range: bytes 4-5/10", "45", .refused), rest)
        },
    ]

    /// Downloads a file whose first response breaks off after four bytes, until there are no more responses and it is
    /// complete.
    private static func resume(
        _ client: any APIStreamingClient, _ front: LoopbackServer.Front.Maker?, first: String, _ rests: Row...
    ) async throws {
        let answers = Recorded(rests)
        let isFirst = Recorded(true)
        let server = try LoopbackServer(front: front) { request, connection in
            if isFirst.update({ isFirst in
                defer { isFirst = false }
                return isFirst
            }) {
                let body = first.hasSuffix("chunked") ? "4\r\n0123\r\n" : "0123"
                return connection.sendLast("HTTP/1.1 \(first)\r\nETag: \"1\"\r\n\r\n\(body)")
            }
            let start = request.fields["range"].flatMap { Int($0.filter(\.isNumber)) } ?? 0
            if start > 0, let answer = answers.update({ $0.isEmpty ? nil : $0.removeFirst() }) {
                return answer.send(connection)
            }
            let whole = Data("0123456789".utf8)
            return start == 0
                ? connection.answer(200, ["ETag": "\"1\""], whole)
                : connection.answer(
                    206, ["ETag": "\"1\"", "Content-Range": "bytes \(start)-9/10"], whole.dropFirst(start))
        }
        try await withFile(Data("old".utf8)) { file in
            let partial = file.appendingPathExtension("part")
            let part = Part<APIDownloadedFile>(
                server, nil, .download(APIDownload(to: file, partial: partial)))
            for outcome in [.refused] + rests.map(\.outcome) + [.delivered] {
                let result = await service(client).response(to: part).result
                let isDelivered = (try? result.get()) != nil
                try expect(isDelivered == (outcome == .delivered), "\(rests): \(result)")
                let content = try String(contentsOf: file, encoding: .utf8)
                try expect(content == (isDelivered ? "0123456789" : "old"), "\(rests): \(content)")
                if isDelivered { return }
            }
        }
    }

    static func service(_ client: any APIClient) -> APIService {
        APIService(client: client, config: .forTests())
    }

    private struct Part<Response: APIParsable>: APIRequest {
        let baseURL: URL
        let path = ""
        let headers: APIRequestHeaders?
        let taskType: APIRequestTaskType

        init(_ server: LoopbackServer, _ range: String?, _ taskType: APIRequestTaskType = .request) {
            baseURL = server.url("/file")
            headers = range.map { ["Range": $0] }
            self.taskType = taskType
        }
    }
}
