import APICache
import APIService
import APIServiceTesting
import APITransport
import Foundation
import TestSupport
import Testing

@testable import APICoalescing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A cached response belongs to the user who got it", .waitLimit)
struct CacheOwnerTests {
    private func request(
        _ path: String = "/a", _ change: (inout TestRequest<Text>) -> Void = { _ in }
    ) -> TestRequest<Text> {
        TestRequest(Text.self) {
            ($0.path, $0.cache) = (path, .cached(for: .seconds(60)))
            change(&$0)
        }
    }

    @Test(
        "A response that redirects to another origin and back have led to is not stored, because it is anonymous",
        arguments: ["/a", "/b"], [true, false])
    func anonymous(page: String, hasAccessory: Bool) async {
        let visits = Recorded(0)
        let client = FollowingClient { request in
            if request.url?.host() == "other.example" {
                return .redirect(302, to: "http://test.example\(page)")
            }
            if visits.next() == 1 { return .redirect(302, to: "http://other.example") }
            return .text(
                request.value(forHTTPHeaderField: "Authorization") ?? "anonymous",
                headers: ["ETag": "\"1\""])
        }
        let service = APIService(
            client: client,
            config: testSettings {
                $0.cacheTool = CacheTool.inMemory()
                if hasAccessory {
                    $0.accessories = [APITokenAccessory(user: { "ann" }, scheme: "", token: { "ann" })]
                }
            })
        let change: (inout TestRequest<Text>) -> Void = {
            if !hasAccessory { $0.headers = ["Authorization": "ann"] }
        }
        #expect(await service.response(to: request(change)).result.value == Text("anonymous"))
        let next = await service.response(to: request(page, change))
        #expect(next.result.value == Text("ann") && next.source == .network)
        #expect(await service.response(to: request(page, change)).source == .cache)
    }

    private func request(_ change: (inout TestRequest<Text>) -> Void) -> TestRequest<Text> {
        request("/a", change)
    }

    @Test("Nor is it stored by a request that has joined the exchange of one that uses no cache")
    func anonymousShared() async {
        let (visits, isUnderWay, go) = (Recorded(0), Door(), Door())
        let client = FollowingClient { request in
            if request.url?.host() == "other.example" { return .redirect(302, to: "http://test.example/a") }
            guard visits.next() == 1 else {
                return .text(request.value(forHTTPHeaderField: "Authorization") ?? "anonymous")
            }
            isUnderWay.open()
            await go.pass()
            return .redirect(302, to: "http://other.example")
        }
        let service = APIService(
            client: client, config: testSettings { $0.cacheTool = CacheTool.inMemory() })
        let follower = request {
            ($0.headers, $0.coalesces) = (["Authorization": "ann"], true)
        }
        var leader = follower
        leader.cache = nil
        async let first = service.response(to: leader).result.value
        await isUnderWay.pass()
        async let second = service.response(to: follower).result.value
        while service.config.settings.coalescing?.waiters != 2 { await Task.yield() }
        go.open()
        #expect(await [first, second] == [Text("anonymous"), Text("anonymous")])
        #expect(await service.response(to: follower).result.value == Text("ann"))
    }

    @Test("Users of two accessories with the same name are two users, and both are removed by this name")
    func positions() async {
        let (passenger, courier) = (Recorded<String?>("7"), Recorded<String?>(nil))
        let client = StubAPIClient { request in
            .text(request.value(forHTTPHeaderField: "X-Courier").map { "courier \($0)" } ?? "passenger")
        }
        let service = APIService(
            client: client,
            config: testSettings {
                $0.cacheTool = CacheTool.inMemory()
                $0.accessories = [
                    APITokenAccessory(user: { passenger.value }, token: { passenger.value }),
                    APITokenAccessory(
                        user: { courier.value }, header: "X-Courier", scheme: "", token: { courier.value }),
                ]
            })
        func send() async -> String {
            let response = await service.response(to: request())
            return "\(response.source): \(response.result.value?.text ?? "")"
        }
        func change() {
            let former = passenger.value
            passenger.update { $0 = courier.value }
            courier.update { $0 = former }
        }
        #expect(await send() == "network: passenger")
        change()
        #expect(await send() == "network: courier 7")
        #expect(await send() == "cache: courier 7")
        change()
        #expect(await send() == "cache: passenger")
        service.config.removeCachedResponses(of: "7")
        #expect(await send() == "network: passenger")
        change()
        #expect(await send() == "network: courier 7")
    }

    /// Logs the user out just before it stores a response.
    private struct LoggingOut: APICacheTool {
        let tool = CacheTool.inMemory()
        let user: Recorded<String?>

        func entry(for key: APICacheKey) -> APICacheEntry? { tool.entry(for: key) }
        func store(_ entry: APICacheEntry, for key: APICacheKey, mode: APICacheWriteMode) {
            user.update { $0 = nil }
            tool.removeAll(user: "ann")
            tool.store(entry, for: key, mode: mode)
        }
        func remove(_ key: APICacheKey) { tool.remove(key) }
        func removeAll(at location: String) { tool.removeAll(at: location) }
        func removeAll(user: String?) { tool.removeAll(user: user) }
    }

    @Test(
        "A response is not stored if its user logs out at this moment, new or validated",
        arguments: [true, false])
    func logOut(isValidated: Bool) async {
        let user = Recorded<String?>("ann")
        let tool = LoggingOut(user: user)
        let count = Recorded(0)
        let client = StubAPIClient { request in
            let isCondition = request.value(forHTTPHeaderField: "If-None-Match") != nil
            return .text(
                isCondition ? "" : "\(count.next())", statusCode: isCondition ? 304 : 200,
                headers: ["ETag": "\"1\""])
        }
        let service = APIService(
            client: client,
            config: testSettings {
                $0.accessories = [APITokenAccessory(user: { user.value }, token: { user.value })]
                $0.cacheTool = tool.tool
            })
        let request = TestRequest(Text.self) { $0.cache = .cached() }
        if isValidated { _ = await service.response(to: request) }
        service.config.update { $0.cacheTool = tool }
        let response = await service.response(to: request)
        #expect(response.source == (isValidated ? .validated : .network))
        #expect(user.value == nil)
        user.update { $0 = "ann" }
        service.config.update { $0.cacheTool = tool.tool }
        #expect(await service.response(to: request).result.value == Text("2"))
    }

    @Test("A failure that the request accepts is delivered instead of an expired response")
    func accepted() async {
        let isBusy = Recorded(false)
        let client = StubAPIClient { _ in
            isBusy.value ? .text("busy", statusCode: 503) : .text("fine")
        }
        let service = APIService(
            client: client, config: testSettings { $0.cacheTool = CacheTool.inMemory() })
        func send(_ codes: Set<Int>) async -> String {
            let response = await service.response(
                to: TestRequest(Text.self) {
                    $0.cache = .cached(staleIfError: .seconds(60))
                    $0.acceptableStatusCodes = codes
                })
            return "\(response.source): \(response.result.value?.text ?? "")"
        }
        #expect(await send([200]) == "network: fine")
        isBusy.update { $0 = true }
        #expect(await send([200]) == "stale: fine")
        #expect(await send([200, 503]) == "network: busy")
    }
}
