import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APIService
@testable import APITransfers
@testable import APITransport

@Suite("File downloads and uploads", .waitLimit)
struct FileTransferTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private let service = APIService(client: URLSessionAPIClient(), config: testSettings())

    init() throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer.faulty()
    }

    private var file: URL { folder.url.appendingPathComponent("file") }
    private var partial: URL { folder.url.appendingPathComponent("partial") }

    private func request<T: APIParsable>(
        _ type: T.Type, _ path: String, _ taskType: APIRequestTaskType, query: APIParameters? = nil
    ) -> TestRequest<T> {
        TestRequest(type) {
            $0.baseURL = server.url("")
            $0.path = path
            $0.taskType = taskType
            $0.parameters = query
        }
    }

    @Test(
        "A download is written to its destination in a new folder, and the result contains the file's URL",
        arguments: [false, true])
    func download(isResumable: Bool) async throws {
        let file = folder.file("new/file")
        let partial = isResumable ? folder.file("parts/part") : nil
        let done = try await service.sendRequest(
            request(APIDownloadedFile.self, "/file", .download(APIDownload(to: file, partial: partial))))
        #expect(done.url.path == file.path)
        #expect(try Data(contentsOf: file) == LoopbackServer.fileContent)
    }

    @Test(
        "An interrupted download resumes where it stopped if the server still has the same file",
        arguments: [1, 400, 999])
    func resume(after count: Int) async throws {
        let download = APIRequestTaskType.download(APIDownload(to: file, partial: partial))
        let broken = await service.response(
            to: request(APIDownloadedFile.self, "/file", download, query: ["cut": .int(Int64(count))]))
        #expect(broken.result.error != nil)
        #expect(try Data(contentsOf: partial) == LoopbackServer.fileContent.prefix(count))
        let progress = Recorded<[APIProgress]>([])
        let done = await service.response(
            to: request(APIDownloadedFile.self, "/file", download, query: ["cut": .int(Int64(count))]),
            progressHandler: { step in progress.update { $0.append(step) } })
        #expect(done.response?.statusCode == 206)
        #expect(try Data(contentsOf: file) == LoopbackServer.fileContent)
        #expect(server.requests.map { $0.fields["range"] } == [nil, "bytes=\(count)-"])
        #expect(server.requests.last?.fields["if-range"] == "\"v1\"")
        // The offset would be another one in a compressed body.
        #expect(server.requests.map { $0.fields["accept-encoding"] } == ["identity", "identity"])
        #expect(progress.value.last == APIProgress(.download, completed: 1_000, total: 1_000))
        #expect(folder.files.map(\.lastPathComponent) == ["file"])
    }

    @Test("A retried download resumes where the previous attempt stopped")
    func resumeByRetry() async throws {
        var request = request(
            APIDownloadedFile.self, "/file", .download(APIDownload(to: file, partial: partial)),
            query: ["cut": 400])
        request.retry = APIRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
        let response = await service.response(to: request)
        #expect(response.result.error == nil)
        #expect(response.explanation.attempts == 2)
        #expect(try Data(contentsOf: file) == LoopbackServer.fileContent)
    }

    @Test(
        "A cancelled download closes its connection and keeps its partial file, which the next one continues")
    func cancelledDownload() async throws {
        let (arrived, closed) = (Door(), Door())
        let server = try LoopbackServer { request, connection in
            guard request.fields["range"] == nil else {
                return connection.answer(
                    206, ["ETag": "\"v1\"", "Content-Range": "bytes 4-7/8"], Data("4567".utf8))
            }
            // macOS would hold back the first bytes of another type.
            connection.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Type: application/json\r\n")
            connection.send("Content-Length: 8\r\n\r\n0123")
            connection.waitForClose()
            closed.open()
            return false
        }
        var download = request(
            APIDownloadedFile.self, "/a", .download(APIDownload(to: file, partial: partial)))
        download.baseURL = server.url("")
        let cancelled = Task { [service, download] in
            await service.response(to: download, progressHandler: { _ in arrived.open() }).result.error
        }
        await arrived.pass()
        cancelled.cancel()
        #expect(await cancelled.value == .cancelled)
        await closed.pass()
        #expect(await service.response(to: download).result.error == nil)
        #expect(try Data(contentsOf: file) == Data("01234567".utf8))
        #expect(server.requests.map { $0.fields["range"] } == [nil, "bytes=4-"])
    }

    @Test("A download starts over if the partial file belongs to another URL or an older version of the file")
    func changed() async throws {
        let address = server.url("/file?cut=400").absoluteString
        try Data("old bytes".utf8).write(to: partial)
        try JSONEncoder().encode(PartialFile.Resume(url: address, etag: "\"v0\"")).write(
            to: PartialFile.Resume.file(partial))
        let whole = request(
            APIDownloadedFile.self, "/file", .download(APIDownload(to: file, partial: partial)),
            query: ["cut": 1_000])
        // The partial file belongs to another URL, so the download does not resume from it.
        _ = try await service.sendRequest(whole)
        #expect(server.requests.last?.fields["range"] == nil)
        #expect(try Data(contentsOf: file) == LoopbackServer.fileContent)

        try Data("old bytes".utf8).write(to: partial)
        try JSONEncoder().encode(
            PartialFile.Resume(url: server.url("/file?cut=1000").absoluteString, etag: "\"v0\"")
        ).write(to: PartialFile.Resume.file(partial))
        _ = try await service.sendRequest(whole)
        #expect(server.requests.last?.fields["range"] == "bytes=9-")
        #expect(try Data(contentsOf: file) == LoopbackServer.fileContent)
    }

    @Test("A partial file that is longer than the server's file is deleted")
    func tooLong() async throws {
        try Data(repeating: 1, count: 2_000).write(to: partial)
        try JSONEncoder().encode(
            PartialFile.Resume(url: server.url("/file").absoluteString, etag: "\"v1\"")
        )
        .write(
            to: PartialFile.Resume.file(partial))
        let download = request(
            APIDownloadedFile.self, "/file", .download(APIDownload(to: file, partial: partial)))
        #expect(await service.response(to: download).response?.statusCode == 416)
        #expect(folder.files.isEmpty)
        #expect(await service.response(to: download).result.error == nil)
    }

    @Test(
        "A 206 response that does not continue the partial file is an error, and the next download starts over",
        arguments: [("bytes 5-7/8", "\"v1\""), ("bytes 4-7/8", "\"v2\""), ("4-7", "\"v1\"")])
    func wrongPart(range: String, etag: String) async throws {
        let server = try LoopbackServer { request, connection in
            request.fields["range"] == nil
                ? connection.answer(200, ["ETag": etag], Data("complete".utf8))
                : connection.answer(206, ["ETag": etag, "Content-Range": range], Data("part".utf8))
        }
        try Data("old!".utf8).write(to: partial)
        try JSONEncoder().encode(PartialFile.Resume(url: server.url("/a").absoluteString, etag: "\"v1\""))
            .write(to: PartialFile.Resume.file(partial))
        var download = request(
            APIDownloadedFile.self, "/a", .download(APIDownload(to: file, partial: partial)))
        download.baseURL = server.url("")
        #expect(await service.response(to: download).result.error != nil)
        #expect(folder.files.isEmpty)
        #expect(await service.response(to: download).result.error == nil)
        #expect(try Data(contentsOf: file) == Data("complete".utf8))
        #expect(server.requests.map { $0.fields["range"] } == ["bytes=4-", nil])
    }

    @Test("A resumed download that gets a compressed part fails, and the next download starts over")
    func compressed() async throws {
        let gzip = Data([
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10, 0x36, 5,
            0,
            0, 0,
        ])
        let answers = Recorded(0)
        let server = try LoopbackServer { request, connection in
            switch answers.next() {
            case 1:
                connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 99\r\n\r\nhello")
                return false
            case 2:
                return connection.answer(
                    206,
                    ["ETag": "\"v1\"", "Content-Encoding": "gzip", "Content-Range": "bytes 5-29/30"], gzip)
            default:
                return connection.answer(200, ["ETag": "\"v1\"", "Content-Encoding": "gzip"], gzip)
            }
        }
        var download = request(
            APIDownloadedFile.self, "/a", .download(APIDownload(to: file, partial: partial)))
        download.baseURL = server.url("")
        #expect(await service.response(to: download).result.error != nil)
        #expect(try Data(contentsOf: partial) == Data("hello".utf8))
        #expect(await service.response(to: download).result.error != nil)
        #expect(await service.response(to: download).result.error == nil)
        #expect(try Data(contentsOf: file) == Data("hello".utf8))
        #expect(server.requests.map { $0.fields["range"] } == [nil, "bytes=5-", nil])
    }

    @Test("A download of a whole file does not resume an earlier download of only a range")
    func callersRange() async throws {
        let server = try LoopbackServer { request, connection in
            guard request.fields["range"] != nil else {
                return connection.answer(200, ["ETag": "\"v1\""], Data("complete".utf8))
            }
            return connection.sendLast(
                "HTTP/1.1 206 Partial\r\nETag: \"v1\"\r\nContent-Range: bytes 4-7/8\r\nContent-Length: 4\r\n\r\nle"
            )
        }
        var download = request(
            APIDownloadedFile.self, "/a", .download(APIDownload(to: file, partial: partial)))
        download.baseURL = server.url("")
        download.headers = ["Range": "bytes=4-7"]
        #expect(await service.response(to: download).result.error != nil)
        download.headers = nil
        #expect(await service.response(to: download).result.error == nil)
        #expect(try Data(contentsOf: file) == Data("complete".utf8))
        #expect(server.requests.map { $0.fields["range"] } == ["bytes=4-7", nil])
    }

    @Test(
        "A download to an unwritable destination fails, is not retried and leaves no partial file",
        arguments: [true, false])
    func destination(isResumed: Bool) async throws {
        try Data().write(to: file)
        let below = file.appendingPathComponent("below")
        var request = request(
            APIDownloadedFile.self, "/file",
            .download(APIDownload(to: below, partial: isResumed ? partial : nil)))
        request.retry = APIRetryPolicy(maximumAttempts: 3, baseDelay: .zero)
        let response = await service.response(to: request)
        guard case .localError = response.result.error else {
            Issue.record("\(response.result)")
            return
        }
        #expect(server.requests.count == 1)
        #expect(folder.files.map(\.lastPathComponent) == ["file"])
    }

    @Test("An uploaded form and an uploaded file arrive unchanged, and uploading a missing file fails")
    func upload() async throws {
        try Data("content".utf8).write(to: file)
        var form = request(
            Text.self, "/echo",
            .multipart(
                APIMultipartForm([.init(name: "f", filename: "x", content: .file(file))], boundary: "B")),
            query: ["a": 1])
        form.method = .post
        let echoed = try await service.sendRequest(form).text
        #expect(echoed.contains("content-type: multipart/form-data; boundary=B"))
        #expect(
            echoed.hasSuffix(
                "\n\n--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
                    + "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\ncontent\r\n--B--\r\n"
            ))
        var plain = request(Text.self, "/echo", .upload(.file(file)), query: ["a": 1])
        plain.method = .put
        let text = try await service.sendRequest(plain).text
        #expect(text.hasPrefix("PUT /echo?a=1\n") && text.hasSuffix("\n\ncontent"))
        plain.taskType = .upload(.file(folder.url.appendingPathComponent("none")))
        #expect(await service.response(to: plain).result.error != nil)
        form.taskType = .multipart(
            APIMultipartForm([.init(name: "f", content: .file(folder.url.appendingPathComponent("none")))]))
        guard case .localError = await service.response(to: form).result.error else {
            Issue.record("not a local error")
            return
        }
    }

    // A cancelled request returns before its attempt ends, so the temporary file may be deleted a little later.
    @Test(
        "A form's temporary file is deleted after each attempt, even if the attempt failed or was cancelled",
        .timeLimit(.minutes(10)), .waitLimit)
    func formFiles() async throws {
        try Data("content".utf8).write(to: file)
        let form = APIMultipartForm([.init(name: "f", content: .file(file))])
        let files = Recorded<[Int]>([])
        @Sendable func count() -> Int {
            let all = try? FileManager.default.contentsOfDirectory(
                atPath: FileManager.default.temporaryDirectory.path)
            return (all ?? []).count { $0.hasPrefix(form.boundary) }
        }
        let there = Door()
        let server = try LoopbackServer { request, connection in
            files.update { $0.append(count()) }
            switch files.value.count {
            case 1, 2: return connection.answer(503)
            case 3: return connection.answer(200)
            default:
                there.open()
                connection.waitForClose()
                return false
            }
        }
        var put = request(APIEmpty.self, "", .multipart(form))
        put.baseURL = server.url("")
        put.method = .put
        put.retry = APIRetryPolicy(maximumAttempts: 3, baseDelay: .zero)
        #expect(await service.response(to: put).explanation.attempts == 3)
        #expect(files.value == [1, 1, 1])
        #expect(count() == 0)
        let sending = Task { [service, put] in await service.response(to: put).result.error }
        await there.pass()
        sending.cancel()
        #expect(await sending.value == .cancelled)
        while count() > 0 { await Task.yield() }
    }

    @Test("Recorded responses and failures are replayed without a network")
    func replay() async throws {
        let recorder = ReplayAPIClient(recording: URLSessionAPIClient())
        let paths = ["/chunked", "/status/503", "/cut", "/echo"]
        var recorded: [APIResponse<Text>] = []
        for path in paths {
            recorded.append(
                await APIService(client: recorder, config: testSettings()).response(
                    to: request(Text.self, path, .request)))
        }
        try recorder.save(to: file)
        server.stop()
        let service = APIService(client: try ReplayAPIClient(replaying: file), config: testSettings())
        for (path, response) in zip(paths, recorded) {
            let replayed = await service.response(to: request(Text.self, path, .request))
            #expect(replayed.data == response.data)
            #expect(replayed.response?.statusCode == response.response?.statusCode)
            #expect((replayed.result.error == nil) == (response.result.error == nil))
        }
        let unknown = await service.response(to: request(Text.self, "/unknown", .request))
        #expect(unknown.result.error != nil)
    }

    @Test("A recording redacts credential header fields, including the custom fields that a client declares")
    func redacted() async throws {
        let server = try LoopbackServer { request, connection in
            connection.answer(
                200, ["Set-Cookie": "a=secret", "X-Session": "secret", "X-Kept": "kept"],
                Data((request.fields["x-session"] ?? "").utf8.count.description.utf8))
        }
        let recorder = ReplayAPIClient(
            recording: URLSessionAPIClient(redirects: RedirectPolicy(credentialFields: ["X-Session"])))
        let response = await APIService(client: recorder, config: testSettings()).response(
            to: TestRequest(Text.self) {
                $0.baseURL = server.url("")
                $0.headers = ["X-Session": "secret", "Authorization": "secret", "Cookie": "a=secret"]
            })
        // The recorder itself delivers the response unchanged.
        #expect(response.result.value == Text("6"))
        #expect(response.response?.value(forHTTPHeaderField: "X-Session") == "secret")
        #expect(!response.explanation.description.contains("secret"))
        try recorder.save(to: file)
        let saved = try String(contentsOf: file, encoding: .utf8)
        #expect(!saved.contains("secret") && saved.contains("kept") && saved.contains("redacted"))
    }
}
