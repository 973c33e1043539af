import APICache
import APIService
import APIServiceTesting
import ApiCenter
import AppModules
import Digests
import Foundation
import Launch
import SDKManagerApi
import Storage
import TestSupport
import Testing
import UserApi

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
private struct Request: APIRequest {
    typealias Response = Data
    let baseURL: URL
    let path = "/a b"
    let parameters: APIParameters? = ["n": 1]
    var cache: APICache?
}

@Suite("The app's requests")
struct RequestTests {
    @Test("A request carries a signature of its host, time and number if the app has a key")
    func signed() async throws {
        let client = StubAPIClient { _ in .text("") }
        let request = Request(baseURL: try #require(URL(string: "https://transit.example")))
        for key in [nil, Data("key".utf8)] {
            let services = AppServices(storage: .inMemory(), client: client, key: key).untimed
            _ = try await services.network.sendRequest(request)
        }
        let requests = client.requests
        #expect(requests[0].value(forHTTPHeaderField: "X-Signature") == nil)
        let time = try #require(requests[1].value(forHTTPHeaderField: "X-Time"))
        let number = try #require(requests[1].value(forHTTPHeaderField: "X-Number"))
        let message = "GET\ntransit.example\n/a%20b?n=1\n\(time)\n\(number)\n"
        let signature = Digest.hmacSHA256(Data(message.utf8), key: Data("key".utf8))
        #expect(requests[1].value(forHTTPHeaderField: "X-Signature") == signature)
        #expect(abs(Date().timeIntervalSince1970 - (Double(time) ?? 0)) < 3_600)
    }

    @Test(
        "The signature comes last: the server's address, the app's identifier and the token are in the request"
    )
    func identified() async throws {
        let client = StubAPIClient { request in
            guard request.url?.path() == "/user/login" else { return .text("") }
            return .json(#"{"code": 0, "desc": "", "data": {"id": "7", "name": "Ann", "token": "t"}}"#)
        }
        let services = AppServices(storage: .inMemory(), client: client, key: Data("key".utf8)).untimed
        let app = try ModularApp(on: services)
        await app.launch()
        try app.center.requireApi(type: SDKManagerApiProtocol.self).initialise(
            SDKConfiguration(appID: "metro", baseURL: #require(URL(string: "https://transit.example")))
        ) { _ in }
        _ = try await app.center.requireApi(type: UserApiProtocol.self)
            .logIn(phone: "13800000000", password: "right")
        let names = services.network.config.settings.accessories.map { "\(type(of: $0))" }
        #expect(names.last == "APISigningAccessory" && names.count == 3)
        _ = try await services.network.sendRequest(
            Request(baseURL: #require(URL(string: "https://transit.example"))))
        let last = try #require(client.requests.last)
        #expect(last.value(forHTTPHeaderField: "X-App") == "metro")
        #expect(last.value(forHTTPHeaderField: "Authorization") == "Bearer t")
        #expect(last.value(forHTTPHeaderField: "X-Signature") != nil)
    }

    @Test("A memory warning empties the network cache in memory, so the next request goes to the server")
    func memoryWarning() async throws {
        let client = StubAPIClient { _ in .text("") }
        let services = AppServices(storage: .inMemory(), client: client).untimed
        let app = try ModularApp([], on: services)
        var request = Request(baseURL: try #require(URL(string: "https://transit.example")))
        request.cache = .cached(for: .seconds(60))
        for _ in 0..<2 { _ = try await services.network.sendRequest(request) }
        #expect(client.requests.count == 1)
        await app.send(.active)
        _ = try await services.network.sendRequest(request)
        #expect(client.requests.count == 1)
        await app.send(.memoryWarning)
        _ = try await services.network.sendRequest(request)
        #expect(client.requests.count == 2)
    }

    @Test("The network cache is in the app's cache folder, or else in the storage's folder")
    func cache() async throws {
        let client = StubAPIClient { _ in .text("") }
        let (data, caches) = (try TemporaryFolder(), try TemporaryFolder())
        let storage = try Storage(folder: data.url)
        for (folder, given) in [(caches.url, caches.url), (data.url.appending(path: "cache"), nil)] {
            let services = AppServices(storage: storage, client: client, cacheFolder: given).untimed
            var request = Request(baseURL: try #require(URL(string: "https://transit.example")))
            request.cache = .cached(for: .seconds(60))
            _ = try await services.network.sendRequest(request)
            await (services.network.config.settings.cacheTool as? CacheTool)?.flush()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) != [])
            if given != nil { #expect(!FileManager.default.fileExists(atPath: data.url.path + "/cache")) }
        }
    }
}
#endif
