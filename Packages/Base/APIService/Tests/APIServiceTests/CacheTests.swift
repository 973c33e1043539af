import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APICache
@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Cache modes", .waitLimit)
struct CacheModeTests {
    private let folder: TemporaryFolder
    private let date = Recorded(Date(timeIntervalSince1970: 1_000_000))
    private let answers = Recorded<[StubAPIClient.Answer]>([])
    private let client: StubAPIClient
    private let tool: CacheTool
    private let service: APIService

    init() throws {
        folder = try TemporaryFolder()
        let (date, answers) = (date, answers)
        let client = StubAPIClient { _ in
            answers.update { $0.count > 1 ? $0.removeFirst() : $0.first ?? .text("none") }
        }
        let tool = CacheTool(folder: folder.url)
        (self.client, self.tool) = (client, tool)
        service = APIService(
            client: client,
            config: testSettings {
                $0.cacheTool = tool
                $0.now = { date.value }
            })
    }

    private func request(
        _ read: APICacheReadMode, _ write: APICacheWriteMode, _ expiry: APICacheExpiry = .seconds(10),
        _ change: (inout APICache) -> Void = { _ in }
    ) -> TestRequest<Text> {
        var cache = APICache()
        (cache.readMode, cache.writeMode, cache.expiry) = (read, write, expiry)
        change(&cache)
        return TestRequest(Text.self) { [cache] in $0.cache = cache }
    }

    /// Sends a request and describes what its handlers received: "cache: …, source: …".
    private func send(_ request: TestRequest<Text>) async -> String {
        let told = Recorded<[String]>([])
        let response = await service.response(
            to: request,
            cacheHandler: { response in told.update { $0.append("cache: \(Self.text(response))") } })
        return (told.value + ["\(response.source): \(Self.text(response))"]).joined(separator: ", ")
    }

    private static func text(_ response: APIResponse<Text>) -> String {
        switch response.result {
        case .success(let text): text.text
        case .failure(.cacheError(let error)): "\(error)"
        case .failure(let error): "\(error)"
        }
    }

    @Test("With read mode none, the cache is not read and the cache handler is not called")
    func none() async {
        answers.update { $0 = [.text("1"), .text("2")] }
        #expect(await send(request(.none, .memory)) == "network: 1")
        #expect(await send(request(.none, .memory)) == "network: 2")
    }

    @Test("Without a cache, the cache handler gets an error that explains how to set one")
    func noStore() async {
        let told = Recorded<[String]>([])
        let service = APIService(client: client, config: .forTests())
        _ = await service.response(
            to: request(.cancelNetwork, .memory),
            cacheHandler: { response in told.update { $0.append("\(response.result.error as Any)") } })
        #expect(told.value.count == 1)
        #expect(
            told.value.first?.contains("the cache has no usable response: no cache is set. Import") == true)
    }

    @Test("A configuration caches in the store that was set last")
    func config() async {
        answers.update { $0 = [.text("1"), .text("2")] }
        let (config, tool) = (APIConfig.forTests(), CacheTool.inMemory())
        let service = APIService(client: client, config: config)
        config.cacheTool = tool
        #expect(config.cacheTool as? CacheTool === tool)
        var sources: [APIResponseSource] = []
        for _ in 0..<2 {
            sources.append(await service.response(to: request(.cancelNetwork, .memory)).source)
        }
        config.cacheTool = nil
        #expect(config.cacheTool == nil)
        sources.append(await service.response(to: request(.cancelNetwork, .memory)).source)
        #expect(sources == [.network, .cache, .network])
    }

    @Test(
        "With read mode cancelNetwork, a hit ends the request, but a miss or an expired entry does not"
    )
    func cancelNetwork() async {
        answers.update { $0 = [.text("1"), .text("2")] }
        let request = request(.cancelNetwork, .memory)
        #expect(await send(request) == "cache: missing, network: 1")
        #expect(await send(request) == "cache: 1, cache: 1")
        date.update { $0 += 10 }
        #expect(await send(request) == "cache: expired, network: 2")
        #expect(await send(request) == "cache: 2, cache: 2")
        #expect(client.requests.count == 2)
    }

    @Test(
        "With read mode alsoNetwork, the cache handler gets the hit, and the caller the network response"
    )
    func alsoNetwork() async {
        answers.update { $0 = [.text("1"), .text("2")] }
        let request = request(.alsoNetwork, .memory)
        #expect(await send(request) == "cache: missing, network: 1")
        #expect(await send(request) == "cache: 1, network: 2")
    }

    @Test(
        "Each write mode stores responses in memory, on disk, in both or in neither",
        arguments: [APICacheWriteMode.memory, .disk, .memoryAndDisk, .none])
    func writeModes(mode: APICacheWriteMode) async {
        answers.update { $0 = [.text("1")] }
        _ = await send(request(.cancelNetwork, mode))
        await tool.flush()
        #expect(folder.files.count == (mode.includesDisk ? 1 : 0))
        // Simulates another process, which has its own memory cache.
        let other = CacheTool(folder: folder.url)
        let key = APICacheKey(client.requests[0], users: [], cache: APICache())
        #expect((other.entry(for: key) != nil) == mode.includesDisk)
        #expect((tool.entry(for: key) != nil) == (mode != .none))
        tool.removeAllFromMemory()
        #expect((tool.entry(for: key) != nil) == mode.includesDisk)
    }

    @Test(
        "An in-memory cache stores entries only if their write mode includes memory",
        arguments: [APICacheWriteMode.memory, .disk, .memoryAndDisk, .none])
    func inMemory(mode: APICacheWriteMode) async throws {
        let (tool, key) = (CacheTool.inMemory(), APICacheKey(user: "u", text: "k"))
        let head = try #require(
            HTTPURLResponse(url: url("http://h/"), statusCode: 200, httpVersion: nil, headerFields: [:]))
        let entry = try #require(
            APICacheEntry(
                head, body: Data("1".utf8), for: URLRequest(url: url("http://h/")), stored: Date(),
                expires: nil))
        tool.store(entry, for: key, mode: mode)
        await tool.flush()
        await tool.sweep()
        #expect((tool.entry(for: key)?.body == Data("1".utf8)) == mode.includesMemory)
        tool.removeAll(user: "u")
        #expect(tool.entry(for: key) == nil)
    }

    @Test(
        "A response that is stored in one place replaces the older response in the other",
        arguments: [APICacheWriteMode.memory, .disk])
    func replaces(mode: APICacheWriteMode) async {
        let (key, new) = (APICacheKey(user: "u", text: "k"), Data("new".utf8))
        tool.store(entry(Data("old".utf8)), for: key, mode: .memoryAndDisk)
        tool.store(entry(new), for: key, mode: mode)
        #expect(tool.entry(for: key)?.body == new)
        await tool.flush()
        tool.removeAllFromMemory()
        #expect(tool.entry(for: key)?.body == (mode == .disk ? new : nil))
    }

    @Test(
        "An entry found on disk is kept in memory from then on, if its write mode includes memory",
        arguments: [APICacheWriteMode.disk, .memoryAndDisk])
    func promotion(mode: APICacheWriteMode) async throws {
        _ = await send(request(.cancelNetwork, mode))
        await tool.flush()
        let key = APICacheKey(client.requests[0], users: [], cache: APICache())
        // Simulates the app after a relaunch.
        let next = CacheTool(folder: folder.url)
        #expect(next.entry(for: key)?.body == Data("none".utf8))
        for file in folder.files { try FileManager.default.removeItem(at: file) }
        #expect((next.entry(for: key) != nil) == mode.includesMemory)
        next.removeAll(user: nil)
        #expect(next.entry(for: key) == nil)
    }

    @Test("A removed or replaced entry is not found again, even while other tasks read it")
    func promotionRace() async throws {
        let key = APICacheKey(user: "u", text: "k")
        let (tool, over) = (tool, Recorded(false))
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    while !over.value {
                        _ = tool.entry(for: key)
                        await Task.yield()
                    }
                }
            }
            group.addTask {
                for round in 0..<30 {
                    let body = Data("\(round)".utf8)
                    tool.store(entry(body), for: key, mode: .memoryAndDisk)
                    await tool.flush()
                    tool.removeAllFromMemory()
                    #expect(tool.entry(for: key)?.body == body)
                    tool.removeAllFromMemory()
                    switch round % 3 {
                    case 0: tool.remove(key)
                    case 1: tool.removeAll(user: "u")
                    default: tool.store(entry(Data("disk".utf8)), for: key, mode: .disk)
                    }
                    #expect(tool.entry(for: key)?.body == (round % 3 == 2 ? Data("disk".utf8) : nil))
                }
                over.update { $0 = true }
            }
        }
    }

    @Test(
        "An entry expires when its APICacheExpiry says so, or when the clock is set back"
    )
    func expiry() async {
        answers.update { $0 = [.text("x")] }
        let cases: [(APICacheExpiry, TimeInterval, Bool)] = [
            (.never, 1e9, true), (.seconds(5), 4, true), (.seconds(5), 5, false), (.seconds(0), 0, false),
            (.date(date.value + 7), 6, true), (.date(date.value + 7), 7, false), (.never, -90_000, false),
        ]
        let start = date.value
        for (index, (expiry, later, isFresh)) in cases.enumerated() {
            date.update { $0 = start }
            var request = request(.cancelNetwork, .memory, expiry)
            request.path = "/\(index)"
            _ = await send(request)
            date.update { $0 += later }
            #expect(await send(request) == (isFresh ? "cache: x, cache: x" : "cache: expired, network: x"))
        }
    }

    @Test("Failed responses, and responses that shouldCacheHandler rejects, are not cached")
    func predicate() async {
        answers.update { $0 = [.text("1"), .text("2", statusCode: 404), .text("unparsable"), .text("3")] }
        let request = request(.cancelNetwork, .memory) {
            $0.shouldCacheHandler = { response, data in
                response?.statusCode == 200 && data.map { String(decoding: $0, as: UTF8.self) } != "1"
            }
        }
        #expect(await send(request) == "cache: missing, network: 1")
        #expect(
            await send(request).hasPrefix("cache: missing, network: http://test.example/thing answered 404"))
        #expect(
            await send(request).hasPrefix(
                "cache: missing, network: the response of http://test.example/thing could not be parsed"))
        #expect(await send(request) == "cache: missing, network: 3")
        #expect(await send(request) == "cache: 3, cache: 3")
    }

    @Test("Responses with no-store or Vary: * are not cached, and a request with other Vary values is a miss")
    func vary() async {
        answers.update {
            $0 = [
                .text("1", headers: ["Cache-Control": "max-age=9, no-store"]),
                .text("2", headers: ["Vary": "*"]),
                .text("3", headers: ["vary": "X-Lang, X-None"]), .text("4"),
            ]
        }
        var request = request(.cancelNetwork, .memory)
        request.headers = ["X-Lang": "a"]
        #expect(await send(request) == "cache: missing, network: 1")
        #expect(await send(request) == "cache: missing, network: 2")
        #expect(await send(request) == "cache: missing, network: 3")
        #expect(await send(request) == "cache: 3, cache: 3")
        request.headers = ["X-Lang": "b"]
        #expect(await send(request) == "cache: missing, network: 4")
    }

    @Test("An expired response is validated with ETag and Last-Modified, and a 304 makes it fresh again")
    func validation() async {
        answers.update {
            $0 = [
                .text(
                    "1",
                    headers: [
                        "ETag": "\"a\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "X-Age": "1",
                    ]),
                .text("", statusCode: 304, headers: ["X-Age": "2", "Content-Length": "0"]), .text("2"),
            ]
        }
        let request = request(.cancelNetwork, .memoryAndDisk)
        _ = await send(request)
        date.update { $0 += 10 }
        let response = await service.response(to: request)
        #expect(response.source == .validated)
        #expect(response.result.value == Text("1"))
        #expect(response.response?.value(forHTTPHeaderField: "X-Age") == "2")
        #expect(client.requests[1].value(forHTTPHeaderField: "If-None-Match") == "\"a\"")
        #expect(
            client.requests[1].value(forHTTPHeaderField: "If-Modified-Since")
                == "Sun, 06 Nov 1994 08:49:37 GMT")
        date.update { $0 += 9 }
        #expect(await send(request) == "cache: 1, cache: 1")
        date.update { $0 += 1 }
        #expect(await send(request) == "cache: expired, network: 2")
    }

    @Test("A 304 is treated like any other status unless the library made the request conditional")
    func foreign304() async {
        answers.update { $0 = [.text("1", headers: ["ETag": "\"a\""]), .text("", statusCode: 304)] }
        var request = request(.cancelNetwork, .memory) { $0.validates = false }
        _ = await send(request)
        date.update { $0 += 10 }
        #expect(await send(request) == "cache: expired, network: http://test.example/thing answered 304")
        request.cache?.validates = true
        request.cache?.writeMode = APICacheWriteMode.none
        request.acceptableStatusCodes = Set(200..<305)
        for field in ["If-None-Match", "If-Modified-Since"] {
            request.headers = [field: "mine"]
            #expect(await service.response(to: request).response?.statusCode == 304)
        }
    }

    @Test("With staleIfError, an expired response replaces a server error for a limited time")
    func staleIfError() async {
        answers.update {
            $0 = [
                .text("1"), .text("?", statusCode: 503), .failure(.unreachable(Failure("x"))),
                .text("?", statusCode: 404),
            ]
        }
        let request = request(.cancelNetwork, .memory) { $0.staleIfError = .seconds(60) }
        _ = await send(request)
        date.update { $0 += 40 }
        #expect(await send(request) == "cache: expired, stale: 1")
        #expect(await send(request) == "cache: expired, stale: 1")
        #expect(await send(request) == "cache: expired, network: http://test.example/thing answered 404")
        answers.update { $0 = [.text("?", statusCode: 503)] }
        date.update { $0 += 31 }
        #expect(await send(request) == "cache: expired, network: http://test.example/thing answered 503")
    }

    @Test("With staleIfError, an expired response replaces a time-out (RFC 5861, 4)", arguments: [4, 20_000])
    func staleIfTimedOut(size: Int) async {
        let (clock, arrived) = (VirtualClock(), Recorded<Door?>(nil))
        let text = String(repeating: "x", count: size)
        let client = StubAPIClient { _ in
            if let door = arrived.value {
                door.open()
                await untilCancelled()
            }
            return .text(text)
        }
        let service = APIService(
            client: client,
            config: testSettings {
                $0.cacheTool = CacheTool.inMemory()
                ($0.clock, $0.timeout, $0.now) = (clock, .seconds(5), { [date] in date.value })
            })
        func response(_ request: TestRequest<Text>) async -> APIResponse<Text> {
            let door = Door()
            arrived.update { $0 = door }
            async let response = service.response(to: request)
            await door.pass()
            await clock.waitForSleepers(1)
            clock.advance(by: .seconds(5))
            return await response
        }
        for (isShared, staleIfError) in [(true, 60), (false, 60), (false, nil as Int64?)] {
            let intercepted = Recorded(0)
            var request = request(.cancelNetwork, .memory) {
                $0.staleIfError = staleIfError.map { .seconds($0) }
            }
            request.coalesces = isShared
            request.onResponse = { response, answer in
                _ = intercepted.next()
                answer(response)
            }
            arrived.update { $0 = nil }
            _ = await service.response(to: request)
            date.update { $0 += 30 }
            let late = await response(request)
            #expect(late.result.value == (staleIfError == nil ? nil : Text(text)))
            #expect(late.result.error == (staleIfError == nil ? .timedOut : nil))
            #expect(late.source == (staleIfError == nil ? .network : .stale) && intercepted.value == 1)
            // On an actor.
            let other = await Task { @MainActor in await response(request) }.value
            #expect(other.source == late.source)
            date.update { $0 += 60 }
        }
    }

    @Test("A response that was stored before the clock was set back is stale, even after a launch")
    func clockSetBack() async throws {
        answers.update { $0 = [.text("1"), .text("2"), .text("3")] }
        let request = request(.cancelNetwork, .memoryAndDisk, .seconds(60))
        #expect(await send(request) == "cache: missing, network: 1")
        #expect(await send(request) == "cache: 1, cache: 1")
        date.update { $0 -= 3_600 }
        #expect(await send(request) == "cache: expired, network: 2")
        #expect(await send(request) == "cache: 2, cache: 2")
        await tool.flush()
        date.update { $0 -= 3_600 }
        service.config.update { [folder] in $0.cacheTool = CacheTool(folder: folder.url) }
        #expect(await send(request) == "cache: expired, network: 3")
    }

    @Test("A response's own stale-if-error applies unless APICache.staleIfError overrides it")
    func staleIfErrorOfAnswer() async {
        let stored = StubAPIClient.Answer.text(
            "1", headers: ["Cache-Control": "max-age=1, Stale-If-Error=60"])
        answers.update { $0 = [stored, .text("?", statusCode: 503)] }
        let request = request(.cancelNetwork, .memory)
        _ = await send(request)
        date.update { $0 += 70 }
        #expect(await send(request) == "cache: expired, stale: 1")
        date.update { $0 += 1 }
        #expect(await send(request) == "cache: expired, network: http://test.example/thing answered 503")
        answers.update { $0 = [stored, .text("?", statusCode: 503)] }
        let strict = self.request(.cancelNetwork, .memory) { $0.staleIfError = .zero }
        _ = await send(strict)
        date.update { $0 += 11 }
        #expect(await send(strict) == "cache: expired, network: http://test.example/thing answered 503")
    }

    @Test(
        "A response that never expires replaces a server error only if staleIfError allows it"
    )
    func staleIfErrorForEver() async {
        answers.update { $0 = [.text("1"), .text("?", statusCode: 500)] }
        #expect(await send(request(.alsoNetwork, .memory, .never)) == "cache: missing, network: 1")
        #expect(
            await send(request(.alsoNetwork, .memory, .never))
                == "cache: 1, network: http://test.example/thing answered 500"
        )
        let lenient = request(.alsoNetwork, .memory, .never) { $0.staleIfError = .zero }
        date.update { $0 += 1e9 }
        #expect(await send(lenient) == "cache: 1, stale: 1")
    }

    @Test("A cached response that no longer parses is reported, removed and requested again")
    func unparsable() async throws {
        answers.update { $0 = [.text("fresh")] }
        let request = request(.cancelNetwork, .memory)
        _ = await send(request)
        try makeUnparsable()
        #expect(await send(request).hasPrefix("cache: unusable"))
        #expect(await send(request) == "cache: fresh, cache: fresh")
    }

    @Test("A validated response that no longer parses is an error, removed and requested again")
    func unparsableValidated() async throws {
        answers.update {
            $0 = [.text("1", headers: ["ETag": "\"a\""]), .text("", statusCode: 304), .text("2")]
        }
        let request = request(.cancelNetwork, .memory)
        _ = await send(request)
        try makeUnparsable()
        date.update { $0 += 10 }
        #expect(
            await send(request)
                == "cache: expired, network: unusable(\"the stored response can no longer be parsed\")")
        #expect(await send(request) == "cache: missing, network: 2")
    }

    /// Replaces the stored body of the first request with one that does not parse.
    private func makeUnparsable() throws {
        let key = APICacheKey(client.requests[0], users: [], cache: APICache())
        let entry = try #require(tool.entry(for: key))
        tool.store(APICacheEntry(head: entry.head, body: Data("unparsable".utf8)), for: key, mode: .memory)
    }

    @Test("Users never get each other's cached responses if an accessory identifies the user")
    func users() async {
        let user = Recorded<String?>("ann")
        let config = testSettings { [tool] in
            $0.cacheTool = tool
            $0.accessories = [APITokenAccessory(user: { user.value }, token: { user.value })]
        }
        let service = APIService(
            client: StubAPIClient { .text($0.value(forHTTPHeaderField: "Authorization") ?? "nobody") },
            config: config)
        let request = request(.cancelNetwork, .memoryAndDisk, .never)
        for name in ["ann", "bob", nil, "ann", "bob", nil] {
            user.update { $0 = name }
            let response = await service.response(to: request)
            #expect(response.result.value == Text(name.map { "Bearer \($0)" } ?? "nobody"))
        }
        tool.removeAll(user: "ann")
        user.update { $0 = "ann" }
        #expect(await service.response(to: request).source == .network)
        user.update { $0 = "bob" }
        #expect(await service.response(to: request).source == .cache)
    }

    @Test(
        "Calling removeAll(user:) works with any user name that the settings or an accessory provide",
        arguments: ["alice@example.com", "a b", "é", "a%20b", "", "a\nb"], [true, false])
    func forgets(name: String, bySettings: Bool) async {
        let service = APIService(
            client: StubAPIClient { _ in .text("x") },
            config: testSettings { [tool] in
                $0.cacheTool = tool
                if bySettings {
                    $0.user = { name }
                } else {
                    $0.accessories = [APITokenAccessory(user: { name }, token: { "t" })]
                }
            })
        let request = request(.cancelNetwork, .memoryAndDisk, .never)
        #expect(await service.response(to: request).source == .network)
        #expect(await service.response(to: request).source == .cache)
        tool.removeAll(user: name)
        #expect(await service.response(to: request).source == .network)
    }

    @Test(
        "A response that arrives after its user has logged out is not cached")
    func userGone() async {
        let (user, there, go) = (Recorded<String?>("ann"), Door(), Door())
        let service = APIService(
            client: StubAPIClient { request in
                there.open()
                await go.pass()
                return .text(request.value(forHTTPHeaderField: "Authorization") ?? "nobody")
            },
            config: testSettings { [tool] in
                $0.cacheTool = tool
                $0.timeout = nil
                $0.accessories = [APITokenAccessory(user: { user.value }, token: { user.value })]
            })
        let request = request(.cancelNetwork, .memoryAndDisk, .never)
        async let response = service.response(to: request)
        await there.pass()
        user.update { $0 = nil }
        tool.removeAll(user: "ann")
        go.open()
        #expect(await response.result.value == Text("Bearer ann"))
        user.update { $0 = "ann" }
        #expect(await service.response(to: request).source == .network)
    }

    @Test("Requests that differ in one of the client's credential fields never share a cached response")
    func namedCredentials() async {
        let client = StubAPIClient(credentialFields: ["X-Session"]) {
            .text($0.value(forHTTPHeaderField: "X-Session") ?? "nobody")
        }
        let service = APIService(client: client, config: testSettings { [tool] in $0.cacheTool = tool })
        var request = request(.cancelNetwork, .memoryAndDisk, .never)
        for source in [APIResponse<Text>.Source.network, .cache] {
            for name in ["ann", "bob"] {
                request.headers = ["x-session": name]
                let response = await service.response(to: request)
                #expect(response.result.value == Text(name))
                #expect(response.source == source)
            }
        }
    }
}
