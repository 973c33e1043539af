import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APIService
@testable import APITransfers
@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Servers that answer a download with something else than was asked for", .waitLimit)
struct HostileDownloadTests {
    private let folder: TemporaryFolder
    private let service = APIService(client: URLSessionAPIClient(), config: testSettings())
    private var file: URL { folder.url.appendingPathComponent("file") }
    private var partial: URL { folder.url.appendingPathComponent("part") }

    init() throws { folder = try TemporaryFolder() }

    private static let whole = Data("0123456789".utf8)

    /// Responses to a request for the bytes from 4. None of them completes the file.
    static let incomplete = [
        "206 Partial\r\nETag: \"v1\"\r\nContent-Range: bytes 4-5/10\r\nContent-Length: 2\r\n\r\n45",
        "206 Partial\r\nETag: \"v1\"\r\nContent-Range: bytes 4-5/10\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n45\r\n0\r\n\r\n",
        "206 Partial\r\nETag: \"v1\"\r\nContent-Range: bytes 4-5/10\r\nConnection: close\r\n\r\n45",
        "206 Partial\r\nETag: \"v1\"\r\nContent-Range: bytes 4-9/10\r\nConnection: close\r\n\r\n45",
        "206 Partial\r\nETag: \"v1\"\r\nContent-Range: bytes 4-5/*\r\nContent-Length: 2\r\n\r\n45",
        "204 No Content\r\n\r\n",
        "205 Reset Content\r\nContent-Length: 0\r\n\r\n",
        "202 Accepted\r\nContent-Length: 0\r\n\r\n",
    ]

    @Test("A download that is never started is released with its handlers")
    func neverStarted() {
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let held = Token()
            token = held
            _ = URLSessionAPIClient().createDownloadRequest(
                request: URLRequest(url: url("http://h/")), to: { [file] _ in file }, progressHandler: nil
            ) { _ in withExtendedLifetime(held) {} }
        }
        let isReleased = token == nil
        #expect(isReleased)
    }

    @Test(
        "A resumed download whose file is not whole fails, keeps what it has, and can be resumed",
        arguments: incomplete)
    func incompleteDownload(answer: String) async throws {
        let asked = Recorded(0)
        let server = try LoopbackServer { request, connection in
            if request.fields["range"] == "bytes=4-", asked.next() == 1 {
                return connection.sendLast("HTTP/1.1 " + answer)
            }
            let from = Int(request.fields["range"]?.filter(\.isNumber) ?? "") ?? 0
            return connection.answer(
                206, ["ETag": "\"v1\"", "Content-Range": "bytes \(from)-9/10"], Self.whole.dropFirst(from))
        }
        try store(Self.whole.prefix(4), of: server.url("/a"))
        try Data("earlier".utf8).write(to: file)
        let broken = await service.response(to: download(server, "/a"))
        guard case .connectionError = broken.result.error else {
            Issue.record("\(broken.result)")
            return
        }
        #expect(try Data(contentsOf: file) == Data("earlier".utf8))
        #expect(Self.whole.starts(with: try Data(contentsOf: partial)))
        let done = await service.response(to: download(server, "/a"))
        #expect(done.result.error == nil)
        #expect(try Data(contentsOf: file) == Self.whole)
    }

    @Test(
        "A resumed download whose part has no, more or other bytes than its range says fails and starts over",
        arguments: [
            "Content-Range: bytes 4-9/10\r\nContent-Length: 6\r\n\r\n",
            "Content-Range: bytes 4-9/10\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n456789xy\r\n0\r\n\r\n",
            "Content-Range: bytes 4-9/8\r\nContent-Length: 6\r\n\r\n456789",
            "Content-Range: bytes 4-3/10\r\nContent-Length: 6\r\n\r\n456789",
            "Content-Range: bytes 4-99999999999999999999/*\r\nContent-Length: 6\r\n\r\n456789",
            "Content-Range: bytes 4-9/99999999999999999999\r\nContent-Length: 6\r\n\r\n456789",
            "Content-Range: bytes 4-9223372036854775807/*\r\nContent-Length: 6\r\n\r\n456789",
            "Content-Range: items 4-9/10\r\nContent-Length: 6\r\n\r\n456789",
            "Content-Length: 6\r\n\r\n456789",
        ])
    func wrongDownload(answer: String) async throws {
        let server = try LoopbackServer { request, connection in
            guard request.fields["range"] != nil else {
                return connection.answer(200, ["ETag": "\"v1\""], Self.whole)
            }
            return connection.sendLast("HTTP/1.1 206 Partial\r\nETag: \"v1\"\r\n" + answer)
        }
        try store(Self.whole.prefix(4), of: server.url("/a"))
        #expect(await service.response(to: download(server, "/a")).result.error != nil)
        #expect(folder.files.isEmpty)
        #expect(await service.response(to: download(server, "/a")).result.error == nil)
        #expect(try Data(contentsOf: file) == Self.whole)
    }

    @Test(
        "A part that was not asked for is not delivered as a whole file, with or without a partial file",
        arguments: [true, false])
    func unsolicited(isResumable: Bool) async throws {
        let server = try LoopbackServer { request, connection in
            connection.answer(206, ["ETag": "\"v1\"", "Content-Range": "bytes 0-3/10"], Self.whole.prefix(4))
        }
        let response = await service.response(to: download(server, "/a", isResumable: isResumable))
        #expect(response.result.error != nil)
        #expect(!folder.files.contains { $0.lastPathComponent == "file" })
    }

    @Test(
        "A download without content fails, with or without a partial file, and leaves no file",
        arguments: ["204 No Content\r\n\r\n", "205 Reset Content\r\nContent-Length: 0\r\n\r\n"],
        [true, false])
    func noContent(answer: String, isResumable: Bool) async throws {
        let server = try LoopbackServer { _, connection in
            connection.sendLast("HTTP/1.1 " + answer)
        }
        try Data("earlier".utf8).write(to: file)
        let response = await service.response(to: download(server, "/a", isResumable: isResumable))
        guard case .connectionError(is NoFile, _) = response.result.error else {
            Issue.record("\(response.result)")
            return
        }
        #expect(try Data(contentsOf: file) == Data("earlier".utf8))
        #expect(folder.files.count == 1)
    }

    @Test("A partial file that grows between the request and the response is not continued at its new end")
    func grown() async throws {
        let partial = partial
        let server = try LoopbackServer { _, connection in
            // An attempt that was cancelled may still be writing.
            try? Data("012345".utf8).write(to: partial)
            return connection.answer(
                206, ["ETag": "\"v1\"", "Content-Range": "bytes 4-9/10"], Self.whole.dropFirst(4))
        }
        try store(Self.whole.prefix(4), of: server.url("/a"))
        #expect(await service.response(to: download(server, "/a")).result.error == nil)
        #expect(try Data(contentsOf: file) == Self.whole)
    }

    @Test("A part without an ETag continues the file of the same URL")
    func partWithoutETag() async throws {
        let server = try LoopbackServer { _, connection in
            connection.answer(206, ["Content-Range": "bytes 4-9/10"], Self.whole.dropFirst(4))
        }
        try store(Self.whole.prefix(4), of: server.url("/a"))
        #expect(await service.response(to: download(server, "/a")).result.error == nil)
        #expect(try Data(contentsOf: file) == Self.whole)
    }

    @Test("A partial file that shrinks between the request and the response is not continued with a gap")
    func shrunk() async throws {
        let (partial, answers) = (partial, Recorded(0))
        let server = try LoopbackServer { request, connection in
            let start = Int(request.fields["range"]?.filter(\.isNumber) ?? "") ?? 0
            if answers.next() == 1 { try? Data("01".utf8).write(to: partial) }
            return connection.answer(
                206, ["ETag": "\"v1\"", "Content-Range": "bytes \(start)-9/10"], Self.whole.dropFirst(start))
        }
        try store(Self.whole.prefix(4), of: server.url("/a"))
        #expect(
            await service.response(to: download(server, "/a")).result.error?.description
                == "a file could not be read or written: the file has changed since its first part was "
                + "downloaded. Download it again")
        #expect(await service.response(to: download(server, "/a")).result.error == nil)
        #expect(try Data(contentsOf: file) == Self.whole)
    }

    @Test(
        "A download starts over if its partial file is empty, or its validator cannot be sent",
        arguments: [("", "\"v1\""), ("0123", "\"v\u{1}\"")])
    func startsOver(part: String, etag: String) async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200, [:], Self.whole) }
        try store(Data(part.utf8), of: server.url("/a"), etag: etag)
        #expect(await service.response(to: download(server, "/a")).result.error == nil)
        #expect(try Data(contentsOf: file) == Self.whole)
        #expect(server.requests.map { $0.fields["range"] } == [nil])
    }

    @Test("A resume file contains no query, because it may be a secret")
    func noQuery() async throws {
        let server = try LoopbackServer { request, connection in
            guard request.path == "/b" else {
                return connection.answer(302, ["Location": "/b?signature=secret"])
            }
            return connection.sendLast("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 10\r\n\r\n0123")
        }
        #expect(await service.response(to: download(server, "/a?key=secret")).result.error != nil)
        let resume = try String(contentsOf: PartialFile.Resume.file(partial), encoding: .utf8)
        #expect(!resume.contains("secret") && resume.contains("v1"))
    }

    @Test("A part whose length is a huge number is an incomplete download, not the end of the process")
    func hugeLength() async throws {
        // A stub, because FoundationNetworking itself ends the process at this length.
        let client = StubAPIClient { _ in
            .text(
                "45", statusCode: 206,
                headers: [
                    "ETag": "\"v1\"", "Content-Range": "bytes 4-9/10",
                    "Content-Length": "9223372036854775807",
                ])
        }
        try store(Self.whole.prefix(4), of: url("http://test.example/thing"))
        let request = TestRequest(APIDownloadedFile.self) {
            $0.taskType = .download(APIDownload(to: file, partial: partial))
        }
        let response = await APIService(client: client, config: testSettings()).response(
            to: request, progressHandler: { _ in })
        #expect(response.result.error != nil)
        #expect(try Data(contentsOf: partial) == Self.whole.prefix(6))
    }

    @Test("A resumed download does not continue with a part from the other server of a redirect")
    func redirectedResume() async throws {
        let other = try LoopbackServer { request, connection in
            guard request.fields["range"] != nil else {
                return connection.answer(200, ["ETag": "\"v1\""], Data("ABCDEFGHIJ".utf8))
            }
            return connection.answer(
                206, ["ETag": "\"v1\"", "Content-Range": "bytes 4-9/10"], Data("EFGHIJ".utf8))
        }
        let target = other.url("/b").absoluteString
        let server = try LoopbackServer { _, connection in connection.answer(302, ["Location": target]) }
        try store(Self.whole.prefix(4), of: server.url("/a"))
        #expect(await service.response(to: download(server, "/a")).result.error == nil)
        #expect(try Data(contentsOf: file) == Data("ABCDEFGHIJ".utf8))
    }

    @Test(
        "A download that is always redirected to the same place resumes there with the same ETag, but sends none",
        arguments: ["\"v1\"", "\"v2\"", nil])
    func resumeBehindRedirect(etag: String?) async throws {
        let sent = Recorded(0)
        let other = try LoopbackServer { request, connection in
            guard sent.next() > 1 else {
                return connection.sendLast(
                    "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 10\r\n\r\n0123")
            }
            var fields = ["Content-Range": "bytes 4-9/10"]
            fields["ETag"] = etag
            return connection.answer(206, fields, Self.whole.dropFirst(4))
        }
        // Signed URLs have a new query each time.
        let target = other.url("/b").absoluteString
        let server = try LoopbackServer { _, connection in
            connection.answer(302, ["Location": target + "?signature=\(sent.value)"])
        }
        #expect(await service.response(to: download(server, "/a")).result.error != nil)
        let isSame = etag == "\"v1\""
        #expect((await service.response(to: download(server, "/a")).result.error == nil) == isSame)
        #expect(try isSame ? Data(contentsOf: file) == Self.whole : folder.files.isEmpty)
        #expect(other.requests.map { $0.fields["range"] } == [nil, "bytes=4-"])
        #expect((server.requests + other.requests).allSatisfy { $0.fields["if-range"] == nil })
    }

    private func store(_ data: Data, of url: URL, etag: String = "\"v1\"") throws {
        try data.write(to: partial)
        let resume = PartialFile.Resume(url: url.absoluteString, etag: etag)
        try JSONEncoder().encode(resume).write(to: PartialFile.Resume.file(partial))
    }

    private func download(
        _ server: LoopbackServer, _ path: String, isResumable: Bool = true
    ) -> TestRequest<APIDownloadedFile> {
        TestRequest {
            $0.baseURL = server.url(path)
            $0.path = ""
            $0.taskType = .download(APIDownload(to: file, partial: isResumable ? partial : nil))
        }
    }
}
