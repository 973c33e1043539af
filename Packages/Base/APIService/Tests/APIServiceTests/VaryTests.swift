import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APICache
@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Responses that depend on header fields of the request", .waitLimit)
struct VaryTests {
    private let folder: TemporaryFolder
    private let tool: CacheTool
    private let date = Recorded(Date(timeIntervalSince1970: 1_000_000))
    private let vary = Recorded("X-Lang")

    init() throws {
        folder = try TemporaryFolder()
        tool = CacheTool(folder: folder.url)
    }

    /// A service whose server responds with the request's language and the number of requests so far. A
    /// conditional request gets a 304.
    private func service(_ change: (inout APISettings) -> Void = { _ in }) -> APIService {
        let (vary, count) = (vary, Recorded(0))
        let client = StubAPIClient { request in
            let number = count.next()
            let isCondition = request.value(forHTTPHeaderField: "If-None-Match") != nil
            let language = request.value(forHTTPHeaderField: "X-Lang") ?? "none"
            return .text(
                isCondition ? "" : "\(language) \(number)", statusCode: isCondition ? 304 : 200,
                headers: ["Vary": vary.value, "ETag": "\"\(language)\""])
        }
        let config = testSettings { [tool, date] settings in
            settings.cacheTool = tool
            settings.now = { date.value }
            change(&settings)
        }
        return APIService(client: client, config: config)
    }

    private func send(
        _ language: String, _ service: APIService, _ mode: APICacheWriteMode = .memoryAndDisk,
        extra: String = ""
    ) async -> String {
        var cache = APICache()
        cache.extraCacheKey = extra
        (cache.readMode, cache.writeMode, cache.expiry) = (.cancelNetwork, mode, .seconds(10))
        let request = TestRequest(Text.self) { [cache] in
            $0.cache = cache
            $0.headers = language.isEmpty ? [:] : ["X-Lang": language]
        }
        let response = await service.response(to: request)
        return "\(response.source): \(response.result.value?.text ?? "\(response.result)")"
    }

    @Test(
        "A stored response answers only requests with the same values in the fields that Vary names",
        arguments: [APICacheWriteMode.memory, .disk])
    func alternate(mode: APICacheWriteMode) async {
        let service = service()
        #expect(await send("a", service, mode) == "network: a 1")
        #expect(await send("a", service, mode) == "cache: a 1")
        #expect(await send("b", service, mode) == "network: b 2")
        await tool.flush()
        #expect(await send("b", service, mode) == "cache: b 2")
        #expect(await send("a", service, mode) == "network: a 3")
        #expect(await send("", service, mode) == "network: none 4")
    }

    @Test("When the server sends no Vary, only extraCacheKey keeps the responses for two languages apart")
    func unnamed() async {
        vary.update { $0 = "" }
        let service = service()
        #expect(await send("a", service) == "network: a 1")
        #expect(await send("b", service) == "cache: a 1")
        #expect(await send("b", service, extra: "b") == "network: b 2")
        #expect(await send("b", service, extra: "b") == "cache: b 2")
    }

    @Test("A response that a 304 changes to Vary: * is removed")
    func validatedStar() async {
        let service = service()
        _ = await send("a", service)
        date.update { $0 += 10 }
        vary.update { $0 = "*" }
        #expect(await send("a", service) == "validated: a 1")
        #expect(await send("a", service) == "network: a 3")
    }

    @Test("Vary ignores the credentials that an accessory adds, but not the accessory's other header fields")
    func accessories() async {
        vary.update { $0 = "Authorization" }
        let token = Recorded("1")
        let service = service {
            $0.accessories = [APITokenAccessory(user: { "ann" }, token: { token.value })]
        }
        #expect(await send("a", service) == "network: a 1")
        token.update { $0 = "2" }
        #expect(await send("a", service) == "cache: a 1")
        vary.update { $0 = "X-Lang" }
        let languages = self.service { $0.accessories = [APIHeaderAccessory(["X-Lang": "a"])] }
        #expect(await send("", languages) == "network: a 1")
        #expect(await send("", languages) == "network: a 2")
    }
}
