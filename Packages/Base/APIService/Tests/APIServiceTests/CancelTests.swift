import APICache
import APIServiceTesting
import Foundation
import Testing

@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends a request that passes through every stage, and cancels it at one of them.
@Suite("Cancellation at each stage")
struct CancelTests {
    /// Cancels a request when it reaches a given stage.
    private final class Canceller: Sendable {
        let stage: APIStage
        let task = Recorded<Task<APIResponse<Spy>, Never>?>(nil)
        let visits = Recorded(0)

        init(_ stage: APIStage) { self.stage = stage }

        func pass(_ stage: APIStage) {
            guard stage == self.stage else { return }
            visits.update { $0 += 1 }
            task.value?.cancel()
        }
    }

    /// The canceller for ``Spy/parse(data:)``, which is static and so cannot hold one.
    @TaskLocal private static var canceller: Canceller?

    struct Spy: APIParsable, Equatable {
        static func parse(data: Data) throws -> Spy {
            CancelTests.canceller?.pass(.parse)
            return Spy()
        }
    }

    private struct Plugin: APIPlugin {
        let canceller: Canceller
        func prepare<T: APIRequest>(_ request: URLRequest, targetRequest: T) throws -> URLRequest {
            canceller.pass(.prepare)
            return request
        }
        func willSend<T: APIRequest>(_ request: URLRequest, targetRequest: T) { canceller.pass(.willSend) }
        func willReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T) {
            canceller.pass(.willReceive)
        }
        func didReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T) {
            canceller.pass(.didReceive)
        }
    }

    private struct Encoding: APIParameterEncoding {
        let canceller: Canceller
        func encode(_ request: URLRequest, with parameters: APIParameters?) throws -> URLRequest {
            canceller.pass(.encoding)
            return try APIURLEncoding.default.encode(request, with: parameters)
        }
    }

    private struct Cache: APICacheTool {
        let canceller: Canceller
        func entry(for key: APICacheKey) -> APICacheEntry? {
            canceller.pass(.cacheRead)
            return nil
        }
        func store(_ entry: APICacheEntry, for key: APICacheKey, mode: APICacheWriteMode) {
            canceller.pass(.cacheWrite)
        }
        func remove(_ key: APICacheKey) {}
        func removeAll(at location: String) {}
        func removeAll(user: String?) {}
    }

    /// A clock whose sleeps return immediately and are reported as the stage `backoff`.
    private struct Waits: Clock {
        typealias Instant = ContinuousClock.Instant
        let canceller: Canceller
        var now: Instant { ContinuousClock.now }
        var minimumResolution: Duration { .zero }
        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            canceller.pass(.backoff)
            try Task.checkCancellation()
        }
    }

    private static func settings(_ canceller: Canceller) -> APIConfig {
        testSettings {
            $0.timeout = nil
            $0.cacheTool = Cache(canceller: canceller)
            $0.clock = Waits(canceller: canceller)
            $0.retry = APIRetryPolicy(maximumAttempts: 3)
            $0.accessories = [
                APISigningAccessory { request in
                    canceller.pass(.accessories)
                    return request
                }
            ]
            $0.tokenRefresh = APITokenRefresh(timeout: nil) { _ in
                canceller.pass(.refresh)
                return ""
            } store: { _, _ in
            }
            $0.isReachable = {
                canceller.pass(.statusCheck)
                return true
            }
        }
    }

    private static func request(_ canceller: Canceller) -> TestRequest<Spy> {
        var cache = APICache()
        (cache.readMode, cache.writeMode) = (.cancelNetwork, .memory)
        return TestRequest(Spy.self) { [cache] in
            $0.cache = cache
            $0.encoding = Encoding(canceller: canceller)
            $0.coalesces = canceller.stage == .coalescing
            $0.onParameters = { parameters in
                canceller.pass(.parameters)
                return parameters
            }
            $0.onRequest = { request in
                canceller.pass(.requestInterceptor)
                return request
            }
            $0.onResponse = { response, answer in
                canceller.pass(.responseInterceptor)
                // Answering here would complete the request before it notices the cancellation.
                if canceller.stage != .responseInterceptor { answer(response) }
            }
        }
    }

    @Test(
        "A request cancelled at any stage completes exactly once, and as cancelled unless delivery has begun",
        arguments: APIStage.allCases)
    func stage(_ stage: APIStage) async {
        let canceller = Canceller(stage)
        let attempts = Recorded(0)
        let client = StubAPIClient { _ in
            switch attempts.update({
                $0 += 1; return $0
            }) {
            case 1:
                canceller.pass(.transport)
                canceller.pass(.coalescing)
                return .text("", statusCode: 401)
            // A broken connection makes the status check ask whether the network is reachable.
            case 2: return .failure(.broken(Failure("x")))
            default: return .text("ok")
            }
        }
        let service = APIService(client: client, config: Self.settings(canceller))
        let start = Door()
        let notes = Recorded<[String]>([])
        let completions = Recorded(0)
        let task = Task {
            await start.pass()
            let response = await Self.$canceller.withValue(canceller) {
                await service.response(
                    to: Self.request(canceller),
                    plugins: [Plugin(canceller: canceller), NotingPlugin(notes: notes)])
            }
            canceller.pass(.delivery)
            completions.update { $0 += 1 }
            return response
        }
        canceller.task.update { $0 = task }
        start.open()
        let response = await task.value
        #expect(canceller.visits.value > 0, "the request never reached this stage")
        #expect(completions.value == 1)
        switch stage {
        case .delivery, .didReceive: #expect(response.result.value == Spy())
        default: #expect(response.result.error == .cancelled)
        }
        let early: [APIStage] = [
            .parameters, .encoding, .requestInterceptor, .prepare, .cacheRead, .willSend, .accessories,
        ]
        #expect((attempts.value == 0) == early.contains(stage), "\(attempts.value) attempts")
        #expect(
            notes.value == ["prepare", "willSend", "willReceive", "didReceive"]
                || ([.parameters, .encoding, .requestInterceptor, .prepare, .cacheRead].contains(stage)
                    && notes.value == ["prepare"]),
            "\(notes.value)")
    }

    @Test("What has ended no longer hears of the cancellation, and all the rest does")
    @MainActor func nestedWaits() async throws {
        let signal = CancelSignal(), heard = Recorded<[String]>([])
        signal.onFire { _ in heard.update { $0.append("outer") } }
        // On one actor, the answer comes after the wait has begun.
        let answer: Int = try await signal.wait { answer in
            Task { @MainActor in answer(1) }
            return { heard.update { $0.append("ended") } }
        }
        #expect(answer == 1 && heard.value == [])
        signal.fire(.cancelled)
        signal.fire(.timedOut)
        #expect(heard.value == ["outer"])
        #expect(signal.reason == .cancelled)
    }

    @Test("A request that is cancelled before it is sent has made no attempt")
    func unsent() async {
        let canceller = Canceller(.willSend)
        let client = StubAPIClient { _ in .text("ok") }
        let settings = Self.settings(canceller)
        // Each accessory would notice the cancellation before the request is sent.
        settings.update { $0.accessories = [] }
        let service = APIService(client: client, config: settings)
        let start = Door()
        let task = Task {
            await start.pass()
            return await service.response(
                to: Self.request(canceller), plugins: [Plugin(canceller: canceller)])
        }
        canceller.task.update { $0 = task }
        start.open()
        let response = await task.value
        #expect(response.result.error == .cancelled && client.requests.isEmpty)
        #expect(response.explanation.attempts == 0)
        #expect(response.explanation.stages.contains(.transport) == false)
    }
}
