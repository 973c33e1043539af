import APIService
import APIServiceTesting
import APITransfers
import APITransport
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A client that cannot stream", .waitLimit)
struct PlainClientTests {
    /// Keeps the body of its request.
    private struct PlainClient: APIClient {
        let stub = StubAPIClient { _ in .text("ok") }
        let body = Recorded<Data?>(nil)

        func createDataRequest(
            request: URLRequest, progressHandler: APIProgressHandler?,
            completionHandler: @escaping APIDataResponseCompletionHandler
        ) -> any APIRequestTask {
            body.update { $0 = request.httpBody }
            return stub.createDataRequest(
                request: request, progressHandler: progressHandler, completionHandler: completionHandler)
        }

        func createDownloadRequest(
            request: URLRequest, to: @escaping APIDownloadDestination, progressHandler: APIProgressHandler?,
            completionHandler: @escaping APIDownloadResponseCompletionHandler
        ) -> any APIRequestTask {
            stub.createDownloadRequest(
                request: request, to: to, progressHandler: progressHandler,
                completionHandler: completionHandler)
        }
    }

    @Test(
        "It sends the data of an upload as the body of its request, and no other upload"
    )
    func plain() async throws {
        let client = PlainClient()
        let service = APIService(client: client, config: testSettings())
        func upload(_ body: APIUpload) async -> APIError? {
            await service.response(
                to: TestRequest(Text.self) { ($0.method, $0.taskType) = (.put, .upload(body)) }
            ).result.error
        }
        #expect(await upload(.data(Data("bytes".utf8))) == nil)
        #expect(client.body.value == Data("bytes".utf8))
        let sequence = APIUpload.stream { AsyncStream<Data> { $0.finish() } }
        guard case .requestError(.unsupported(let reason)) = await upload(sequence) else {
            Issue.record("not unsupported")
            return
        }
        #expect(reason.hasPrefix("PlainClient cannot upload"))
    }
}
