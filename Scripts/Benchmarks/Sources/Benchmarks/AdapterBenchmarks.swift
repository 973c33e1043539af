#if Adapter
import APIService
import APIServiceTesting
import APITransfers
import APITransport
import AsyncHTTPAPIClient
import AsyncHTTPClient
import CAllocated
import Foundation
import Synchronization

/// The benchmarks of Adapters/AsyncHTTPAPIClient.
func adapterBenchmarks() throws -> [Benchmark] {
    let bench = try AdapterBench()
    return [
        Benchmark(
            "AsyncHTTPAPIClient: a small request", against: "HTTPClient.execute, decoded",
            limit: .ratio(1.35), ours: { bench.send($0) }, theirs: { bench.bare($0) }),
        Benchmark(
            "AsyncHTTPAPIClient: 64 concurrent requests", against: "HTTPClient.execute, decoded",
            limit: .ratio(1.4), ours: { for _ in 0..<$0 { bench.atOnce(bench.send) } },
            theirs: { for _ in 0..<$0 { bench.atOnce(bench.bare) } }),
        Benchmark(
            "AsyncHTTPAPIClient: heap of a 1 GB download", against: "URLSessionAPIClient", limit: .amount(64),
            measure: .amount(unit: " MiB"), runs: 1
        ) {
            let (ours, baseline) = try (bench.peak(AsyncHTTPAPIClient()), bench.peak(URLSessionAPIClient()))
            return Benchmark.Sample(ours: ours, baseline: baseline, value: ours)
        },
    ]
}

/// Sends requests with the adapter and with async-http-client to a server in the same process.
private final class AdapterBench: Sendable {
    private struct BigFile: APIRequest {
        typealias Response = APIDownloadedFile
        let baseURL: URL
        let path = "/big"
        let taskType: APIRequestTaskType
        let timeout: Duration? = .seconds(600)
    }

    private let server: LoopbackServer
    private let service = APIService(client: AsyncHTTPAPIClient(), config: APIConfig())
    private let client = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: AsyncHTTPAPIClient.configuration())

    init() throws {
        let body = Data(#"{"id": 7, "name": "Ann"}"#.utf8)
        let megabyte = Data(count: 1 << 20)
        server = try LoopbackServer(keepsRequests: false) { request, connection in
            guard request.path == "/big" else {
                return connection.answer(200, ["Content-Type": "application/json", "ETag": "\"1\""], body)
            }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(1 << 30)\r\n\r\n")
            return (0..<1_024).allSatisfy { _ in connection.send(megabyte) }
        }
    }

    deinit { try? client.syncShutdown() }

    /// Sends requests sequentially through the service and decodes the responses.
    func send(_ rounds: Int) { waiting { for _ in 0..<rounds { await self.send() } } }

    /// Sends the same requests with async-http-client and decodes the responses.
    func bare(_ rounds: Int) { waiting { for _ in 0..<rounds { await self.bare() } } }

    func atOnce(_ one: @escaping @Sendable () async -> Void) {
        waiting { await withTaskGroup { group in for _ in 0..<64 { group.addTask { await one() } } } }
    }

    @Sendable func send() async {
        let request = ItemRequest<Item>(baseURL: server.url(""))
        consume(await service.response(to: request).result.value?.id)
    }

    @Sendable func bare() async {
        var request = HTTPClientRequest(url: server.url("/v1/items?id=7&lang=en").absoluteString)
        request.headers = ["Accept": "application/json", "Accept-Encoding": "gzip, deflate"]
        guard let response = try? await client.execute(request, deadline: .distantFuture),
            let body = try? await response.body.collect(upTo: 1 << 20)
        else { return }
        consume(try? JSONDecoder().decode(Item.self, from: Data(body.readableBytesView)).id)
    }

    /// Downloads a file of 1 GB and returns the peak growth of the heap in MiB, including the server's share.
    func peak(_ client: some APIClient) throws -> Double {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "Benchmarks-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let service = APIService(client: client, config: APIConfig())
        let request = BigFile(baseURL: server.url(""), taskType: .download(APIDownload(to: file)))
        let before = Int(allocated_bytes())
        let peak = Mutex((bytes: 0, next: Int64(0)))
        let failure = Mutex<APIError?>(nil)
        waiting {
            let response = await service.response(
                to: request,
                progressHandler: { progress in
                    peak.withLock { peak in
                        // Measuring the heap takes longer than receiving a piece.
                        guard progress.completed >= peak.next else { return }
                        peak = (
                            max(peak.bytes, Int(allocated_bytes()) - before), progress.completed + (16 << 20)
                        )
                    }
                })
            failure.withLock { $0 = response.result.error }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        return Double(peak.withLock { $0.bytes }) / 1_048_576
    }
}
#else
/// The adapter's benchmarks need the trait Adapter.
func adapterBenchmarks() -> [Benchmark] { [] }
#endif
