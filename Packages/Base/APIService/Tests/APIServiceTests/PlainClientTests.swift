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

    @Test("A response without a head is a broken connection")
    func headless() async {
        struct Headless: APIClient {
            struct Task: APIRequestTask {
                let run: @Sendable () -> Void
                func resume() { run() }
                func cancel() {}
            }

            func createDataRequest(
                request: URLRequest, progressHandler: APIProgressHandler?,
                completionHandler: @escaping APIDataResponseCompletionHandler
            ) -> any APIRequestTask {
                Task {
                    completionHandler(
                        APIDataResponse(response: nil, result: .success(Data())))
                }
            }

            func createDownloadRequest(
                request: URLRequest, to: @escaping APIDownloadDestination,
                progressHandler: APIProgressHandler?,
                completionHandler: @escaping APIDownloadResponseCompletionHandler
            ) -> any APIRequestTask {
                preconditionFailure("a test downloads from a client without heads")
            }
        }
        let service = APIService(client: Headless(), config: testSettings())
        let error = await service.response(to: TestRequest(Text.self)).result.error
        guard case .connectionError = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
