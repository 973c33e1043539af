import APICache
import APIService
import APIServiceTesting
import ApiCenter
import AppModules
import Digests
import Foundation
import SDKManagerApi
import Storage
import TestSupport
import Testing
import UserApi

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// A user whose token is "old" until it is renewed.
private final class User: UserApiProtocol {
    private let token = Shared("old")

    var session: UserSession? { UserSession(id: "7", name: "Ann", token: token.value) }
    func logIn(phone: String, password: String) throws(UserApiError) -> UserSession {
        throw .wrongCredentials
    }
    func renewToken() { token.value = "new" }
    func logOut() {}
}

private struct SDK: SDKManagerApiProtocol {
    let configuration: SDKConfiguration?
    func initialise(_: SDKConfiguration, jump: @Sendable (SDKStart) -> Void) {}
    func moreMenu() -> [SDKMenuItem] { [] }
    func page(of _: SDKMenuItem) -> [String: String]? { nil }
}

private struct Request: APIRequest {
    typealias Response = Data
    let baseURL: URL
    let path = "/a b"
    let parameters: APIParameters? = ["n": 1]
    var cache: APICache?
}

@Suite("The app's requests")
struct RequestTests {
    @Test(
        "A request carries the token, the app's identifier and a signature, and a rejected token is renewed"
    )
    func identified() async throws {
        let client = StubAPIClient { request in
            let isExpired = request.value(forHTTPHeaderField: "Authorization") == "Bearer old"
            return .text("", statusCode: isExpired ? 401 : 200)
        }
        let app = try await ModularApp.launch([], on: AppServices(storage: .inMemory(), client: client))
        let request = Request(baseURL: try #require(URL(string: "https://transit.example")))
        _ = try await app.services.network.sendRequest(request)
        app.center.register(UserApiProtocol.self, scope: .once) { User() }
        app.center.register(SDKManagerApiProtocol.self) {
            SDK(
                configuration: SDKConfiguration(
                    appID: "metro", baseURL: request.baseURL, key: Data("key".utf8)))
        }
        _ = try await app.services.network.sendRequest(request)
        #expect(
            client.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == [
                nil, "Bearer old", "Bearer new",
            ])
        #expect(
            client.requests.map { $0.value(forHTTPHeaderField: "X-App") } == [nil, "metro", "metro"])
        let signature = Digest.hmacSHA256(Data("GET\n/a%20b?n=1\n".utf8), key: Data("key".utf8))
        #expect(
            client.requests.map { $0.value(forHTTPHeaderField: "X-Signature") } == [
                nil, signature, signature,
            ])
    }

    @Test("The network cache is in the app's cache folder, or else in the storage's folder")
    func cache() async throws {
        let client = StubAPIClient { _ in .text("") }
        let (data, caches) = (try TemporaryFolder(), try TemporaryFolder())
        let storage = try Storage(folder: data.url)
        for (folder, given) in [(caches.url, caches.url), (data.url.appending(path: "cache"), nil)] {
            let services = AppServices(storage: storage, client: client, cacheFolder: given)
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
