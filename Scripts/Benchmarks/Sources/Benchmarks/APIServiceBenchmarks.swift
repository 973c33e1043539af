import APICache
import APIService
import APIServiceTesting
import APITransport
import CAllocated
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The benchmarks of Base/APIService. Requests go to a server in the same process.
func apiServiceBenchmarks() throws -> [Benchmark] {
    let bench = try NetworkBench()
    return [
        Benchmark(
            "APIService: a small request, raw bytes", against: "URLSessionAPIClient alone",
            limit: .ratio(1.1), ours: { bench.sendForBytes($0) }, theirs: { bench.client($0) }),
        Benchmark(
            "APIService: a small request", against: "URLSessionAPIClient alone",
            ours: { bench.send(.off, $0) }, theirs: { bench.client($0) }),
        Benchmark(
            "APIService: a small request", against: "hand-written code", limit: .ratio(1.1),
            ours: { bench.send(.off, $0) }, theirs: { bench.byHand($0) }),
        Benchmark(
            "APIService: a small request", against: "URLSession.data(for:), decoded", limit: .ratio(1.15),
            ours: { bench.send(.off, $0) }, theirs: { bench.bare($0, decodes: true) }),
        Benchmark(
            "APIService: URLSessionAPIClient alone", against: "URLSession.data(for:)",
            ours: { bench.client($0) }, theirs: { bench.bare($0) }),
        Benchmark(
            "APIService: a memory cache hit", against: "a small request", limit: .ratio(1.0 / 20),
            ours: { bench.send(.memory, $0) }, theirs: { bench.send(.off, $0) }),
        Benchmark(
            "APIService: a disk cache hit", against: "a small request", limit: .ratio(1.0 / 3),
            ours: { bench.send(.disk, $0) }, theirs: { bench.send(.off, $0) }),
        Benchmark(
            "APIService: 64 concurrent requests", against: "URLSession.data(for:), decoded",
            limit: .ratio(1.2),
            ours: { for _ in 0..<$0 { bench.sendAtOnce(64) } },
            theirs: { for _ in 0..<$0 { bench.bareAtOnce(64) } }),
        Benchmark(
            "APIService: 1,000 concurrent requests", against: "URLSession.data(for:), decoded",
            ours: { for _ in 0..<$0 { bench.sendAtOnce(1_000) } },
            theirs: { for _ in 0..<$0 { bench.bareAtOnce(1_000) } }),
        Benchmark(
            amount: "APIService: connections for 1,000 requests", against: "the maximum", unit: "",
            limit: Double(bench.bound),
            sample: { (Double(bench.connections(1_000)), Double(bench.bound)) }),
        Benchmark(
            amount: "APIService: memory per request in flight", against: "URLSession", unit: " KiB",
            limit: nil, sample: { bench.memoryInFlight(1_000) }),
    ]
}

extension Scenario {
    /// A small request through the whole pipeline, the code that a caller would write instead, `URLSession` alone with
    /// decoding, and a memory hit. The counts include the server, which is in the same process.
    static let requests = [
        network("request", 500) { $0.send(.off, $1) },
        network("hand-written-request", 500) { $0.byHand($1) },
        network("urlsession-request", 500) { $0.bare($1, decodes: true) },
        network("memory-hit", 2_000) { $0.send(.memory, $1) },
    ]

    private static func network(
        _ name: String, _ rounds: Int, _ send: @escaping @Sendable (NetworkBench, Int) -> Void
    ) -> Scenario {
        Scenario(name: name, rounds: rounds) {
            let bench = try NetworkBench()
            return { send(bench, $0) }
        }
    }
}

struct Item: APIDefaultJSONParsable {
    let id: Int
    let name: String
}

struct ItemRequest<Response: APIParsable>: APIRequest {
    let baseURL: URL
    let path = "/v1/items"
    let parameters: APIParameters? = ["id": 7, "lang": "en"]
    let headers: APIRequestHeaders? = ["Accept": "application/json"]
    var cache: APICache?
}

/// The clients and servers of the benchmarks, with one method per way of sending a request.
private final class NetworkBench: Sendable {
    enum Level {
        case off
        case memory
        case disk
    }

    /// The maximum number of connections per host.
    let bound = 6

    private let server: LoopbackServer
    /// A second server for requests that bypass the service, so that the two kinds of requests share no connections.
    private let bareServer: LoopbackServer
    private let gate = Gate()
    private let session: URLSession
    private let service: APIService
    private let cache: CacheTool
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "Benchmarks-\(UUID().uuidString)")

    init() throws {
        let body = Data(#"{"id": 7, "name": "Ann"}"#.utf8)
        let answer: LoopbackServer.Handler = { [gate] _, connection in
            gate.pass()
            return connection.answer(200, ["Content-Type": "application/json", "ETag": "\"1\""], body)
        }
        server = try LoopbackServer(keepsRequests: false, answer)
        bareServer = try LoopbackServer(keepsRequests: false, answer)
        let configuration = URLSessionAPIClient.configuration()
        configuration.httpMaximumConnectionsPerHost = bound
        session = URLSession(configuration: configuration)
        cache = CacheTool(folder: folder)
        var settings = APISettings()
        settings.cacheTool = cache
        service = APIService(
            client: URLSessionAPIClient(maximumConnectionsPerHost: bound), config: APIConfig(settings))
        // Fills both caches. After the flush, disk hits read the file instead of the queue of pending writes.
        send(.memory, 1)
        send(.disk, 1)
        waiting { [cache] in await cache.flush() }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Sends requests sequentially through the whole pipeline and decodes the responses.
    func send(_ level: Level, _ rounds: Int) {
        let (service, request) = (service, request(level))
        waiting { for _ in 0..<rounds { consume(await service.response(to: request).result.value?.id) } }
    }

    /// Sends the same requests through the pipeline, without decoding the responses.
    func sendForBytes(_ rounds: Int) {
        let (service, request) = (service, ItemRequest<Data>(baseURL: server.url("")))
        waiting { for _ in 0..<rounds { consume(await service.response(to: request).result.value?.count) } }
    }

    /// Sends the same requests with `URLSession.data(for:)`.
    func bare(_ rounds: Int, decodes: Bool = false) {
        let (session, request, decoder) = (session, bareRequest(), JSONDecoder())
        waiting {
            for _ in 0..<rounds {
                guard let body = try? await session.data(for: request).0 else { return }
                consume(decodes ? try? decoder.decode(Item.self, from: body).id : body.count)
            }
        }
    }

    /// Sends the same requests with the service's client, bypassing the service.
    func client(_ rounds: Int) {
        let (client, request) = (service.client, bareRequest())
        waiting {
            for _ in 0..<rounds {
                let answer: APIDataResponse = await withCheckedContinuation { waiter in
                    client.createDataRequest(
                        request: request, progressHandler: nil,
                        completionHandler: { waiter.resume(returning: $0) }
                    ).resume()
                }
                consume(try? answer.result.get().count)
            }
        }
    }

    /// Sends the same requests with `URLSession` and the code that a caller would write without the service.
    func byHand(_ rounds: Int) {
        let (session, base) = (session, bareServer.url("/v1"))
        waiting {
            for _ in 0..<rounds {
                var parts = URLComponents(
                    url: base.appendingPathComponent("items"), resolvingAgainstBaseURL: true)
                parts?.queryItems = [
                    URLQueryItem(name: "id", value: "7"), URLQueryItem(name: "lang", value: "en"),
                ]
                guard let url = parts?.url else { return }
                var request = URLRequest(url: url)
                request.setValue("application/json", forHTTPHeaderField: "Accept")
                guard let (body, response) = try? await session.data(for: request),
                    (response as? HTTPURLResponse)?.statusCode == 200
                else { return }
                consume(try? JSONDecoder().decode(Item.self, from: body).id)
            }
        }
    }

    func sendAtOnce(_ count: Int) {
        let (service, request) = (service, request(.off))
        waiting {
            await withTaskGroup { group in
                for _ in 0..<count {
                    group.addTask { consume(await service.response(to: request).result.value?.id) }
                }
            }
        }
    }

    func bareAtOnce(_ count: Int) {
        let (session, request, decoder) = (session, bareRequest(), JSONDecoder())
        waiting {
            await withTaskGroup { group in
                for _ in 0..<count {
                    group.addTask {
                        guard let body = try? await session.data(for: request).0 else { return }
                        consume(try? decoder.decode(Item.self, from: body).id)
                    }
                }
            }
        }
    }

    /// The number of connections that `count` concurrent requests open to a server that withholds its
    /// responses.
    func connections(_ count: Int) -> Int { held(count) { self.sendAtOnce(count) }.arrived }

    /// The heap per request, in KiB, while the server withholds its responses: with the service and with `URLSession`.
    func memoryInFlight(_ count: Int) -> (ours: Double, baseline: Double) {
        (held(count) { self.sendAtOnce(count) }.kibibytes, held(count) { self.bareAtOnce(count) }.kibibytes)
    }

    /// Runs `send` while the server withholds its responses. Measures as soon as the number of waiting connections
    /// and the heap have not changed for 100 ms.
    private func held(
        _ count: Int, _ send: @escaping @Sendable () -> Void
    ) -> (arrived: Int, kibibytes: Double) {
        gate.close()
        let before = allocated_bytes()
        let done = DispatchGroup()
        DispatchQueue.global().async(group: done, execute: send)
        var last = (arrived: 0, bytes: 0)
        var quiet = 0
        while quiet < 20 {
            usleep(5_000)
            let now = (arrived: gate.waiting, bytes: allocated_bytes())
            quiet = now.arrived >= bound && now == last ? quiet + 1 : 0
            last = now
        }
        gate.open()
        done.wait()
        return (last.arrived, (Double(last.bytes) - Double(before)) / 1_024 / Double(count))
    }

    private func bareRequest() -> URLRequest {
        var request = URLRequest(url: bareServer.url("/v1/items?id=7&lang=en"))
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return request
    }

    private func request(_ level: Level) -> ItemRequest<Item> {
        guard level != .off else { return ItemRequest(baseURL: server.url("")) }
        var cache = APICache()
        cache.readMode = .cancelNetwork
        cache.writeMode = level == .memory ? .memory : .disk
        cache.extraCacheKey = "\(level)"
        cache.expiry = .never
        return ItemRequest(baseURL: server.url(""), cache: cache)
    }
}

/// Blocks the threads that reach it while it is closed.
private final class Gate: Sendable {
    private let condition = NSCondition()
    private let state = Mutex((isOpen: true, waiting: 0))

    var waiting: Int { state.withLock { $0.waiting } }

    func close() { state.withLock { $0.isOpen = false } }

    func open() {
        condition.withLock {
            state.withLock { $0.isOpen = true }
            condition.broadcast()
        }
    }

    func pass() {
        if state.withLock({ $0.isOpen }) { return }
        condition.withLock {
            state.withLock { $0.waiting += 1 }
            while !state.withLock({ $0.isOpen }) { condition.wait() }
            state.withLock { $0.waiting -= 1 }
        }
    }
}

/// Runs an async function and blocks the calling thread until it returns.
func waiting(_ body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
        await body()
        done.signal()
    }
    done.wait()
}
