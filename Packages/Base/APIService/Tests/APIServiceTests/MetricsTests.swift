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

@Suite("Metrics of a request")
struct MetricsTests {
    private func explanation<T: APIParsable>(
        _ type: T.Type, _ server: LoopbackServer, attempts: Int = 1,
        _ change: (inout TestRequest<T>) -> Void
    ) async -> APIExplanation {
        let request = TestRequest(T.self) {
            $0.baseURL = server.url("")
            $0.retry = APIRetryPolicy(maximumAttempts: attempts, baseDelay: .zero)
            change(&$0)
        }
        return await APIService(client: URLSessionAPIClient(), config: testSettings())
            .response(to: request).explanation
    }

    @Test("The counts of sent and received body bytes cover all attempts, and match the server's counts")
    func attempts() async throws {
        let answers = Recorded([(503, "busy"), (200, "done!")])
        let server = try LoopbackServer { _, connection in
            let (status, body) = answers.update { $0.removeFirst() }
            return connection.answer(status, [:], Data(body.utf8))
        }
        let explanation = await explanation(Data.self, server, attempts: 2) {
            ($0.method, $0.parameters, $0.encoding) = (.put, ["a": 1], APIJSONEncoding.default)
        }
        #expect(explanation.attempts == 2)
        #expect(explanation.sentBytes == Int64(server.requests.reduce(0) { $0 + $1.body.count }))
        #expect(explanation.sentBytes == 14)
        #expect(explanation.receivedBytes == 9)
    }

    @Test("The metrics include the bytes of downloads and of uploads with unknown length")
    func transfers() async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200, [:], Data(count: 70_000)) }
        let folder = try TemporaryFolder()
        let upload = await explanation(Data.self, server) {
            $0.method = .post
            $0.taskType = .upload(
                .stream {
                    AsyncStream { continuation in
                        for _ in 0..<3 { continuation.yield(Data(count: 1_000)) }
                        continuation.finish()
                    }
                })
        }
        #expect(upload.sentBytes == 3_000 && upload.receivedBytes == 70_000)
        let file = folder.url.appendingPathComponent("file")
        let download = await explanation(APIDownloadedFile.self, server) {
            $0.taskType = .download(APIDownload(to: file))
        }
        #expect(download.sentBytes == 0 && download.receivedBytes == 70_000)
    }
}
