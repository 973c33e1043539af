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

@Suite("The files and the ranges of downloads", .waitLimit)
struct DownloadFileTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.url.appendingPathComponent("file") }
    private var partial: URL { folder.url.appendingPathComponent("part") }

    init() throws { folder = try TemporaryFolder() }

    @Test("A file that cannot replace its target stays, and nothing is left beside the target")
    func unmovable() throws {
        try Data("new".utf8).write(to: partial)
        // A folder that is not empty cannot be replaced by a file.
        let inside = file.appendingPathComponent("inside")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        try Data().write(to: inside)
        #expect(throws: CocoaError.self) { try FileMove.replace(file, with: partial) }
        #expect(Set(folder.files.map(\.lastPathComponent)) == ["part", "inside"])
    }

    /// Whether a folder in memory is another volume than the folder for temporary files.
    private static var hasOtherVolume: Bool {
        let volumes = ["/dev/shm", FileManager.default.temporaryDirectory.path].map {
            try? FileManager.default.attributesOfItem(atPath: $0)[.systemNumber] as? Int
        }
        return volumes[0] != nil && volumes[0] != volumes[1]
            && FileManager.default.isWritableFile(atPath: "/dev/shm")
    }

    @Test(
        "A file from another volume replaces its target and is removed",
        .enabled(if: hasOtherVolume, "needs a folder on another volume"))
    func otherVolume() throws {
        let other = URL(fileURLWithPath: "/dev/shm/\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: other) }
        try Data("new".utf8).write(to: other)
        try Data("old".utf8).write(to: file)
        try FileMove.replace(file, with: other)
        #expect(try Data(contentsOf: file) == Data("new".utf8))
        #expect(!FileManager.default.fileExists(atPath: other.path))
        #expect(folder.files.map(\.lastPathComponent) == ["file"])
    }

    @Test("A failed download removes its temporary file")
    func temporaryFile() throws {
        var request = URLRequest(url: url("http://h/"))
        let file = TemporaryFile(for: &request)
        let head = try #require(
            HTTPURLResponse(url: url("http://h/"), statusCode: 200, httpVersion: nil, headerFields: [:]))
        try file.open(for: head).close()
        #expect(FileManager.default.fileExists(atPath: file.url.path))
        file.end(StreamedBody(limit: nil), wasOpen: true, .failure(.cancelled))
        #expect(!FileManager.default.fileExists(atPath: file.url.path))
    }

    @Test(
        "A broken download is kept only if the server has sent a strong ETag and no coding",
        arguments: [
            ([:], false), (["ETag": "W/\"v1\""], false), (["ETag": "\"v1\""], true),
            (["ETag": "\"v1\"", "Content-Encoding": "gzip"], false),
        ])
    func kept(fields: [String: String], isKept: Bool) async throws {
        let client = StubAPIClient { _ in
            StubAPIClient.Answer(
                headers: fields, pieces: [Data("0123".utf8)], error: .broken(Failure("cut")))
        }
        let request = TestRequest(APIDownloadedFile.self) {
            $0.taskType = .download(APIDownload(to: file, partial: partial))
        }
        let response = await APIService(client: client, config: testSettings()).response(to: request)
        #expect(response.result.error == .connectionError(Failure("cut")))
        #expect(folder.files.count == (isKept ? 2 : 0))
    }

    @Test(
        "A file may be as large as its limit, including its partial file",
        arguments: [(0, [4, 6], true), (0, [4, 7], false), (4, [6], true), (4, [7], false)])
    func limit(stored: Int, pieces: [Int], isDelivered: Bool) async throws {
        let count = stored + pieces.reduce(0, +)
        let client = StubAPIClient { _ in
            StubAPIClient.Answer(
                statusCode: stored > 0 ? 206 : 200,
                headers: stored > 0 ? ["Content-Range": "bytes \(stored)-\(count - 1)/\(count)"] : [:],
                pieces: pieces.map { Data(count: $0) })
        }
        if stored > 0 {
            try Data(count: stored).write(to: partial)
            try PartialFile.Resume(url: "http://test.example/thing", etag: "\"v1\"").write(beside: partial)
        }
        let request = TestRequest(APIDownloadedFile.self) {
            $0.taskType = .download(APIDownload(to: file, partial: partial, limit: 10))
        }
        let error = await APIService(client: client, config: testSettings()).response(to: request).result
            .error
        #expect(error == (isDelivered ? nil : .responseError(.tooLarge(10))))
        #expect(folder.files.map(\.lastPathComponent) == (isDelivered ? ["file"] : []))
    }

    @Test(
        "A part with a content coding is refused, and a response to HEAD is not checked",
        arguments: ["gzip", "identity"])
    func partOfCoding(coding: String) throws {
        var request = URLRequest(url: url("http://h/"))
        request.setValue("bytes=4-9", forHTTPHeaderField: "Range")
        let head = try #require(
            HTTPURLResponse(
                url: url("http://h/"), statusCode: 206, httpVersion: nil,
                headerFields: ["Content-Range": "bytes 4-9/10", "Content-Encoding": coding]))
        func isAccepted(size: Int64) -> Bool {
            (try? RequestedRange(request).check(head, size: size, mayBeShort: false)) != nil
        }
        #expect(isAccepted(size: 6) == (coding == "identity"))
        request.httpMethod = "HEAD"
        #expect(isAccepted(size: 0))
    }

    @Test(
        "A suffix ends the file and is no longer than asked; what no range field can say is not checked",
        arguments: [
            ("bytes=4-99999999999999999999", "bytes 4-8/10", nil), ("bytes=-", "bytes 4-9/10", nil),
            ("bytes=99999999999999999999-5", "bytes 4-9/10", nil),
            ("bytes=-99999999999999999999", "bytes 4-9/10", nil),
            ("bytes=-6", "bytes 4-9/*", "only a part"), ("bytes=-6", "bytes 4-9/10", nil),
            ("bytes=-7", "bytes 4-9/10", "answered 206 with the Content-Range bytes 4-9/10"),
            ("bytes=-5", "bytes 4-9/*", "answered 206 with the Content-Range bytes 4-9/*"),
        ])
    func ranges(asked: String, content: String, problem: String?) throws {
        var request = URLRequest(url: url("http://h/"))
        request.setValue(asked, forHTTPHeaderField: "Range")
        let head = try #require(
            HTTPURLResponse(
                url: url("http://h/"), statusCode: 206, httpVersion: nil,
                headerFields: ["Content-Range": content]))
        do {
            try RequestedRange(request).check(head, size: 6, mayBeShort: false)
            #expect(problem == nil)
        } catch {
            #expect(problem.map { "\(error)".contains($0) } == true, "\(error)")
        }
    }
}
