import APICache
import APIService
import APIServiceTesting
import APITransport
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The request pipeline", .waitLimit)
struct PipelineTests {
    @Test("A model that cannot be decoded gives the decoder's error")
    func undecodable() async {
        struct Model: APIDefaultJSONParsable { let id: Int }
        let service = APIService(client: StubAPIClient { _ in .json("{}") }, config: testSettings())
        let error = await service.response(to: TestRequest(Model.self)).result.error
        guard case .responseError(.invalidParseResponse(DecodingError.keyNotFound(let key, _), _)) = error
        else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(key.stringValue == "id")
    }

    @Test("A request passes through the stages in the documented order")
    func order() async throws {
        let folder = try TemporaryFolder()
        let service = APIService(
            client: StubAPIClient { _ in .text("hello") },
            config: testSettings(folder) { $0.accessories = [APIHeaderAccessory(["X-App": "1"])] })
        let notes = Recorded<[String]>([])
        var cache = APICache()
        (cache.readMode, cache.writeMode, cache.expiry) = (.cancelNetwork, .memory, .never)
        let request = TestRequest(Text.self) { [cache] in
            $0.cache = cache
            $0.onParameters = { parameters in
                notes.update { $0.append("parameters") }
                return parameters
            }
            $0.onRequest = { request in
                notes.update { $0.append("request") }
                return request
            }
            $0.onResponse = { response, answer in
                notes.update { $0.append("response") }
                answer(response)
            }
        }
        let plugins = [NotingPlugin(name: "1 ", notes: notes), NotingPlugin(name: "2 ", notes: notes)]
        let response: APIResponse<Text> = await completion { done in
            service.sendRequest(
                request, plugins: plugins, cacheHandler: { _ in notes.update { $0.append("cache") } },
                completionHandler: { response in
                    notes.update { $0.append("delivery") }
                    done(response)
                })
        }
        // The test waits only for the completion handler. `didReceive` is called later and may not be in the
        // notes yet.
        #expect(
            notes.value.prefix(11) == [
                "parameters", "request", "1 prepare", "2 prepare", "cache", "1 willSend", "2 willSend",
                "1 willReceive", "2 willReceive", "response", "delivery",
            ])
        #expect(
            response.explanation.stages == [
                .parameters, .encoding, .requestInterceptor, .prepare, .cacheRead, .willSend, .accessories,
                .transport,
                .statusCheck, .parse, .cacheWrite, .willReceive, .responseInterceptor, .delivery, .didReceive,
            ])
        #expect(response.explanation.description.contains("cache read: miss"))
        #expect(response.explanation.description.contains("prepare: NotingPlugin, NotingPlugin"))
        #expect(response.explanation.attempts == 1)
    }

    /// A way in which a request can end: the expected error, and whether `willSend` was called.
    struct Path: Sendable, CustomStringConvertible {
        let description: String
        let error: APIError?
        let wasSent: Bool
        var answer = StubAPIClient.Answer.text("hello")
        var change: @Sendable (inout TestRequest<Text>) -> Void = { _ in }
        var plugin: @Sendable (URLRequest) throws -> URLRequest = { $0 }
        var accessories: [any APIAccessory] = []
    }

    static let everyPath: [Path] = [
        Path(description: "success", error: nil, wasSent: true),
        Path(
            description: "veto by a plugin", error: .vetoed(APIVeto("no")), wasSent: false,
            plugin: { _ in throw APIVeto("no") }),
        Path(
            description: "veto by the request", error: .vetoed(APIVeto("no")), wasSent: false,
            change: { $0.onRequest = { _ in throw APIVeto("no") } }),
        Path(
            description: "not built", error: .requestError(.failed(Failure("x"))), wasSent: false,
            change: { $0.onParameters = { _ in throw Failure("x") } }),
        Path(
            description: "veto by an accessory", error: .vetoed(APIVeto("late")), wasSent: true,
            accessories: [APISigningAccessory { _ in throw APIVeto("late") }]),
        Path(
            description: "unreachable", error: .networkError, wasSent: true,
            answer: .failure(.unreachable(Failure("x")))),
        Path(
            description: "broken", error: .connectionError(Failure("x")), wasSent: true,
            answer: .failure(.broken(Failure("x")))),
        Path(
            description: "status",
            error: .responseError(.unacceptableStatus(.init(statusCode: 404, body: Data("?".utf8)))),
            wasSent: true, answer: .text("?", statusCode: 404)),
        Path(
            description: "parse", error: .responseError(.invalidParseResponse(Failure("unparsable"))),
            wasSent: true,
            answer: .text("unparsable")),
        Path(
            description: "replaced by the interceptor", error: .vetoed(APIVeto("replaced")), wasSent: true,
            change: {
                $0.onResponse = { response, answer in
                    var response = response
                    response.result = .failure(.vetoed(APIVeto("replaced")))
                    answer(response)
                    answer(response)
                    response.result = .success(Text("again"))
                    answer(response)
                }
            }),
    ]

    @Test(
        "Every request completes once, with the expected error and balanced plugin calls",
        arguments: everyPath)
    func paths(path: Path) async {
        let notes = Recorded<[String]>([])
        let service = APIService(
            client: StubAPIClient { [answer = path.answer] _ in answer },
            config: testSettings { $0.accessories = path.accessories })
        let completions = Recorded(0)
        let request = TestRequest(Text.self, path.change)
        let plugin = NotingPlugin(notes: notes, onPrepare: path.plugin)
        let response: APIResponse<Text> = await completion { done in
            service.sendRequest(request, plugins: [plugin]) { response in
                completions.update { $0 += 1 }
                done(response)
            }
        }
        #expect(response.result.error == path.error)
        let asyncResponse = await service.response(to: request, plugins: [plugin])
        #expect(asyncResponse.result.error == path.error)
        do {
            #expect(try await service.sendRequest(request, plugins: [plugin]) == Text("hello"))
            #expect(path.error == nil)
        } catch {
            #expect(error == path.error)
        }
        #expect(completions.value == 1)
        // didReceive is not counted, because it may be called after the completion handler resumes this test.
        let notesOfSending = notes.value.filter { $0 != "prepare" }
        #expect(notesOfSending.count { $0 == "willSend" } == (path.wasSent ? 3 : 0))
        #expect(notesOfSending.count { $0 == "willReceive" } == (path.wasSent ? 3 : 0))
    }

    @Test("A request times out if its interceptor never responds")
    func silentInterceptor() async {
        let clock = VirtualClock()
        let service = APIService(
            client: StubAPIClient { _ in .text("hello") }, config: testSettings { $0.clock = clock })
        let asked = Door()
        let request = TestRequest(Text.self) {
            $0.timeout = .seconds(5)
            $0.onResponse = { _, _ in asked.open() }
        }
        async let response = service.response(to: request)
        await asked.pass()
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        #expect(await response.result.error == .timedOut)
    }

    @Test("A request times out if the transport never responds and ignores cancellation")
    func silentTransport() async {
        let clock = VirtualClock()
        let client = DeafClient()
        let service = APIService(client: client, config: testSettings { $0.clock = clock })
        let notes = Recorded<[String]>([])
        async let response = service.response(
            to: TestRequest(Text.self) { $0.timeout = .seconds(5) }, plugins: [NotingPlugin(notes: notes)])
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(4))
        clock.advance(by: .seconds(1))
        #expect(await response.result.error == .timedOut)
        #expect(notes.value == ["prepare", "willSend", "willReceive", "didReceive"])
    }

    /// The point at which a request is cancelled.
    enum Place: CaseIterable { case beforehand, accessory, transport, backoff, interceptor }

    @Test(
        "A request that is cancelled before or during a wait completes as cancelled",
        arguments: Place.allCases)
    func cancel(place: Place) async {
        let clock = VirtualClock()
        let there = Door()
        let client = StubAPIClient { _ in
            if place == .transport {
                there.open()
                await untilCancelled()
            }
            return .text("x", statusCode: place == .backoff ? 503 : 200)
        }
        let config = testSettings {
            $0.clock = clock
            $0.timeout = nil
            $0.retry = APIRetryPolicy(maximumAttempts: 3)
            $0.accessories = [
                APISigningAccessory { request in
                    if place == .accessory {
                        there.open()
                        await untilCancelled()
                    }
                    return request
                }
            ]
        }
        let service = APIService(client: client, config: config)
        let request = TestRequest(Text.self) {
            $0.onResponse = { response, answer in
                if place == .interceptor { there.open() } else { answer(response) }
            }
        }
        let notes = Recorded<[String]>([])
        let task = Task {
            if place == .beforehand {
                there.open()
                await untilCancelled()
            }
            return await service.response(to: request, plugins: [NotingPlugin(notes: notes)])
        }
        if place == .backoff { await clock.waitForSleepers(1) } else { await there.pass() }
        task.cancel()
        #expect(await task.value.result.error == .cancelled)
        #expect(
            notes.value
                == (place == .beforehand ? [] : ["prepare", "willSend", "willReceive", "didReceive"]))
        #expect(clock.sleeps.isEmpty || place == .backoff)
    }

    @Test("A request completes only once even if its task is cancelled and resumed several times")
    func cancelTask() async {
        let there = Door()
        let service = APIService(
            client: StubAPIClient { _ in
                there.open()
                await untilCancelled()
                return .text("late")
            }, config: testSettings())
        let completions = Recorded(0)
        let task = Recorded<(any APIRequestTask)?>(nil)
        let response: APIResponse<Text> = await completion { done in
            let sent = service.sendRequest(TestRequest(Text.self)) { response in
                completions.update { $0 += 1 }
                done(response)
            }
            task.update { $0 = sent }
            sent.resume()
            Task {
                await there.pass()
                sent.cancel()
                sent.cancel()
                sent.resume()
            }
        }
        task.value?.cancel()
        #expect(response.result.error == .cancelled)
        #expect(completions.value == 1)
    }

    @Test("The completion handler is called on the callback queue, before the plugins' didReceive")
    func callbackQueue() async {
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "callbacks")
        queue.setSpecific(key: key, value: "here")
        let service = APIService(client: StubAPIClient { _ in .text("hello") }, config: testSettings())
        let notes = Recorded<[String]>([])
        let received = Door()
        let plugin = ReceivingPlugin {
            notes.update { $0.append("didReceive") }
            received.open()
        }
        service.sendRequest(TestRequest(Text.self), plugins: [plugin], callbackQueue: queue) { response in
            notes.update { $0.append("\(DispatchQueue.getSpecific(key: key) ?? "elsewhere")") }
        }
        await received.pass()
        #expect(notes.value == ["here", "didReceive"])
    }

    @Test("Network activity begins and ends once for overlapping requests")
    func networkActivity() async {
        let changes = Recorded<[NetworkActivityPlugin.Change]>([])
        let plugin = NetworkActivityPlugin { change in changes.update { $0.append(change) } }
        let bothThere = Door()
        let count = Recorded(0)
        let service = APIService(
            client: StubAPIClient { _ in
                if count.update({
                    $0 += 1; return $0
                }) == 2 {
                    bothThere.open()
                }
                await bothThere.pass()
                return .text("x")
            }, config: testSettings())
        async let one = service.response(to: TestRequest(Text.self), plugins: [plugin])
        async let other = service.response(to: TestRequest(Text.self), plugins: [plugin])
        _ = await (one, other)
        #expect(changes.value == [.began, .ended])
        _ = await service.response(
            to: TestRequest(Text.self) { $0.onRequest = { _ in throw APIVeto("") } }, plugins: [plugin])
        #expect(changes.value == [.began, .ended])
    }

    @Test("Requests are sent even if the network is unreachable; reachability only classifies failures")
    func reachability() async {
        let config = testSettings { $0.isReachable = { false } }
        let working = APIService(client: StubAPIClient { _ in .text("hello") }, config: config)
        #expect(await working.response(to: TestRequest(Text.self)).result.value == Text("hello"))
        let broken = APIService(
            client: StubAPIClient { _ in .failure(.broken(Failure("x"))) }, config: config)
        #expect(await broken.response(to: TestRequest(Text.self)).result.error == .networkError)
    }

    @Test(
        "Each of 10,000 requests completes exactly once despite random cancellations and faults")
    func soak() async {
        let client = StubAPIClient { request in
            switch abs(request.url.hashValue) % 5 {
            case 0: return .failure(.broken(Failure("x")))
            case 1: return .text("x", statusCode: 503)
            case 2:
                await Task.yield()
                return .text("unparsable")
            default: return .text("hello")
            }
        }
        let service = APIService(
            client: client,
            config: testSettings {
                $0.retry = APIRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
            })
        let completions = Recorded<[Int: Int]>([:])
        let rounds = 100
        for round in 0..<rounds {
            await withTaskGroup { group in
                for number in 0..<100 {
                    group.addTask {
                        let id = round * 100 + number
                        let _: Bool = await completion { done in
                            let task = service.sendRequest(
                                TestRequest(Text.self) {
                                    $0.path = "/\(id)"
                                    $0.coalesces = number % 7 == 0
                                }
                            ) { _ in
                                completions.update { $0[id, default: 0] += 1 }
                                done(true)
                            }
                            if number % 3 == 0 { task.cancel() }
                        }
                    }
                }
            }
        }
        #expect(completions.value.count == rounds * 100)
        #expect(completions.value.values.allSatisfy { $0 == 1 })
    }
}

/// A client that never responds and ignores cancellation.
struct DeafClient: APIClient {
    struct DeafTask: APIRequestTask {
        func resume() {}
        func cancel() {}
    }

    func createDataRequest(
        request: URLRequest, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) -> any APIRequestTask { DeafTask() }

    func createDownloadRequest(
        request: URLRequest, to: @escaping APIDownloadDestination, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDownloadResponseCompletionHandler
    ) -> any APIRequestTask { DeafTask() }
}

@Suite("APIService on the main actor", .waitLimit)
@MainActor
struct MainActorTests {
    struct Model: APIParsable {
        static func parse(data: Data) throws -> Model {
            #expect(!Thread.isMainThread)
            return Model()
        }
    }

    @Test("A response is parsed off the main actor, whether it comes from the server or from the cache")
    func parsing() async {
        let service = APIService(
            client: StubAPIClient { _ in .text("x") },
            config: testSettings { $0.cacheTool = CacheTool.inMemory() })
        let request = TestRequest(Model.self) { $0.cache = .cached(for: .seconds(60)) }
        #expect(await service.response(to: request).source == .network)
        #expect(await service.response(to: request).source == .cache)
    }

    @Test("Cancelling a call on the main actor closes its connection")
    func cancel() async throws {
        let (arrived, gone) = (Door(), Door())
        let server = try LoopbackServer { _, connection in
            arrived.open()
            connection.waitForClose()
            gone.open()
            return false
        }
        let service = APIService(config: testSettings())
        let task = Task { await service.response(to: TestRequest(Text.self) { $0.baseURL = server.url("") }) }
        await arrived.pass()
        task.cancel()
        #expect(await task.value.result.error == .cancelled)
        await gone.pass()
    }

    @Test("A request's interceptor runs on the actor that calls response(to:)")
    func caller() async {
        let service = APIService(client: StubAPIClient { _ in .text("x") }, config: testSettings())
        let request = TestRequest(Text.self) {
            $0.onRequest = { request in
                MainActor.assertIsolated()
                return request
            }
        }
        #expect(await service.response(to: request).result.value == Text("x"))
    }
}

@Suite("APIService outside any actor", .waitLimit)
struct NoActorTests {
    /// Holds the hash value of the task that parsed a response.
    struct Parser: APIParsable {
        let task: Int?

        static func parse(data: Data) throws -> Parser {
            Parser(task: unsafe withUnsafeCurrentTask { unsafe $0?.hashValue })
        }
    }

    @Test(
        "A small response is parsed in the caller's task, a large one in another task",
        arguments: [(16_384, true), (16_385, false)])
    @concurrent func parsing(size: Int, isCaller: Bool) async {
        let service = APIService(
            client: StubAPIClient { _ in .text(String(repeating: "x", count: size)) },
            config: testSettings { $0.cacheTool = CacheTool.inMemory() })
        let request = TestRequest(Parser.self) { $0.cache = .cached(for: .seconds(60)) }
        let caller = unsafe withUnsafeCurrentTask { unsafe $0?.hashValue }
        for source in [APIResponseSource.network, .cache] {
            let response = await service.response(to: request)
            #expect(response.source == source)
            #expect((response.result.value?.task == caller) == isCaller)
        }
    }

    /// A type whose parser waits until a test releases it.
    struct Slow: APIParsable {
        @TaskLocal static var gate: (begun: Door, release: DispatchSemaphore)?

        static func parse(data: Data) throws -> Slow {
            gate?.begun.open()
            gate?.release.wait()
            return Slow()
        }
    }

    // Each parser blocks a thread of the cooperative pool until its case releases it. On two cores, two such cases at
    // once would stop all tests of the process.
    @Test(
        "A request times out while a large response of the cache is being parsed, and the response stays cached",
        .serialized,
        arguments: [(Duration.seconds(60), APIResponseSource.cache), (.zero, .validated)])
    func slowParser(lifetime: Duration, source: APIResponseSource) async {
        let (clock, begun, release) = (VirtualClock(), Door(), DispatchSemaphore(value: 0))
        let count = Recorded(0)
        let service = APIService(
            client: StubAPIClient { _ in
                count.next() == 1
                    ? .text(String(repeating: "x", count: 16_385), headers: ["ETag": "\"1\""])
                    : .text("", statusCode: 304, headers: ["ETag": "\"1\""])
            },
            config: testSettings {
                $0.cacheTool = CacheTool.inMemory()
                ($0.clock, $0.timeout) = (clock, .seconds(60))
            })
        let request = TestRequest(Slow.self) { $0.cache = .cached(for: lifetime) }
        #expect(await service.response(to: request).source == .network)
        let cached = Task {
            await Slow.$gate.withValue((begun, release)) { await service.response(to: request) }
        }
        await begun.pass()
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(60))
        #expect(await cached.value.result.error == .timedOut)
        release.signal()
        #expect(await service.response(to: request).source == source)
    }
}

/// Calls `handler` when a request has completed.
private struct ReceivingPlugin: APIPlugin {
    let handler: @Sendable () -> Void

    func didReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T) { handler() }
}
