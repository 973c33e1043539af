import APIEvents
import APIService
import APIServiceTesting
import APITransfers
import Foundation
import TestSupport
import Testing

@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A client that cannot stream", .waitLimit)
struct PlainClientTests {
    @Test("It sends the data of an upload as the body of its request, and no other upload")
    func plain() async throws {
        let stub = StubAPIClient { _ in .text("ok") }
        let service = APIService(client: PlainClient(client: stub), config: testSettings())
        func upload(_ body: APIUpload) async -> APIError? {
            await service.response(
                to: TestRequest(Text.self) { ($0.method, $0.taskType) = (.put, .upload(body)) }
            ).result.error
        }
        #expect(await upload(.data(Data("bytes".utf8))) == nil)
        #expect(stub.requests.map(\.httpBody) == [Data("bytes".utf8)])
        let sequence = APIUpload.stream { AsyncStream<Data> { $0.finish() } }
        guard case .requestError(.unsupported(let reason)) = await upload(sequence) else {
            Issue.record("not unsupported")
            return
        }
        #expect(reason.hasPrefix("PlainClient cannot upload"))
    }

    @Test(
        "It downloads a file without a partial file, and refuses a larger error than the limit for responses")
    func download() async throws {
        let folder = try TemporaryFolder()
        let stub = StubAPIClient { request in
            let body = String(repeating: "x", count: Int(request.url?.lastPathComponent ?? "") ?? 0)
            return .text(body, statusCode: body.count == 12 ? 200 : 404)
        }
        let service = APIService(
            client: PlainClient(client: stub), config: testSettings { $0.responseLimit = 10 })
        let task = APIDownload(to: folder.file("file"), partial: folder.file("part"))
        func download(_ size: Int) async -> APIError? {
            await service.response(
                to: TestRequest(APIDownloadedFile.self) {
                    ($0.path, $0.taskType) = ("/\(size)", .download(task))
                }
            ).result.error
        }
        #expect(await download(12) == nil)
        #expect(try folder.names == ["file"] && folder.text("file").count == 12)
        #expect(await download(10)?.description == "http://test.example/10 answered 404")
        #expect(await download(11) == .responseError(.tooLarge(10)))
    }

    @Test("It receives no events")
    func events() async {
        let stub = StubAPIClient { _ in .text("") }
        let service = APIService(client: PlainClient(client: stub), config: testSettings())
        let error = await #expect(throws: APIError.self) {
            for try await _ in service.events(of: TestRequest(Text.self)) {}
        }
        #expect(error?.description == "PlainClient cannot stream" && stub.requests.isEmpty)
    }
}

@Suite("A client that delivers a body without a head", .waitLimit)
struct HeadlessClientTests {
    private struct Exchange: APIRequestTask {
        let end: @Sendable () -> Void
        func resume() { end() }
        func cancel() {}
    }

    private struct Headless: APIClient {
        func createDataRequest(
            request: URLRequest, progressHandler: APIProgressHandler?,
            completionHandler: @escaping APIDataResponseCompletionHandler
        ) -> any APIRequestTask {
            Exchange { completionHandler(APIDataResponse(response: nil, result: .success(Data()))) }
        }

        func createDownloadRequest(
            request: URLRequest, to: @escaping APIDownloadDestination, progressHandler: APIProgressHandler?,
            completionHandler: @escaping APIDownloadResponseCompletionHandler
        ) -> any APIRequestTask {
            Exchange {
                completionHandler(APIDownloadResponse(response: nil, result: .success(.data(Data()))))
            }
        }
    }

    @Test(
        "Its request and its download fail, whether it streams or not", arguments: [false, true],
        [false, true])
    func fails(streams: Bool, isDownload: Bool) async throws {
        let folder = try TemporaryFolder()
        let client: any APIClient =
            streams ? StubAPIClient { _ in StubAPIClient.Answer(statusCode: 0) } : Headless()
        let response = await APIService(client: client, config: testSettings()).response(
            to: TestRequest(APIEmpty.self) {
                if isDownload { $0.taskType = .download(APIDownload(to: folder.file("file"))) }
            })
        guard case .connectionError(is MissingHead, _) = response.result.error else {
            Issue.record("\(response.result)")
            return
        }
        #expect(try folder.names.isEmpty)
    }
}
