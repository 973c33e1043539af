// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The usage examples of seed 5, with the changes that Packages/Seeds.md lists.

import APIService
import APIServiceTesting
import APITransport
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// MARK: 最外层的 Model

/// 网络请求结果最外层Model
public protocol APIModelWrapper: Sendable {
    associatedtype DataType: Decodable & Sendable

    var code: Int { get }

    var msg: String { get }

    var data: DataType? { get }
}

public struct CSBaseResponseModel<T>: APIModelWrapper, APIDefaultJSONParsable where T: Decodable & Sendable {
    public var code: Int
    public var msg: String
    public var data: T?

    enum CodingKeys: String, CodingKey {
        case code
        case msg = "desc"
        case data
    }
}

// MARK: 业务 APIRequest

enum NetworkConstants {
    enum Environment { case prod, dev }
    static let env = Environment.prod
    static let baseMockURL = url("http://mock.example")
    static let baseProdURL = url("http://api.example")
    static let baseDevURL = url("http://dev.example")
}

/// 注意这个 CSBaseResponseModel
protocol CSAPIRequest: APIRequest where Response == CSBaseResponseModel<DataResponse> {
    associatedtype DataResponse: Decodable & Sendable

    var isMock: Bool { get }
}

extension CSAPIRequest {
    var isMock: Bool {
        return false
    }

    var baseURL: URL {
        if isMock {
            return NetworkConstants.baseMockURL
        }
        switch NetworkConstants.env {
        case .prod:
            return NetworkConstants.baseProdURL
        case .dev:
            return NetworkConstants.baseDevURL
        }
    }

    var method: APIRequestMethod { .get }

    var parameters: APIParameters? {
        return nil
    }

    var headers: APIRequestHeaders? {
        return nil
    }

    var taskType: APIRequestTaskType {
        return .request
    }

    var encoding: APIParameterEncoding {
        return APIURLEncoding.default
    }

    public func intercept(urlRequest: URLRequest) throws -> URLRequest {
        /// 我们可以在这个位置添加统一的参数、header的信息；
        return urlRequest
    }

    public func intercept<U: APIRequest>(
        request: U, response: APIResponse<Response>,
        replaceResponseHandler: @escaping APICompletionHandler<Response>
    ) {
        /// 我们在这里位置可以处理统一的回调判断相关逻辑
        replaceResponseHandler(response)
    }
}

// MARK: APIResult 扩展

public enum APIValidateResult<T> {
    case success(T, String)
    case failure(String, APIError)
}

public enum CSDataError: Error {
    case invalidParseResponse
}

/// APIModelWrapper 在这个地方用到了
extension APIResult where T: APIModelWrapper {
    var validateResult: APIValidateResult<T.DataType> {
        var message = "出现错误，请稍后重试"
        switch self {
        case let .success(reponse):
            if reponse.code == 200, let data = reponse.data {
                return .success(data, reponse.msg)
            } else {
                return .failure(
                    message,
                    APIError.responseError(
                        APIResponseError.invalidParseResponse(CSDataError.invalidParseResponse)))
            }
        case let .failure(apiError):
            if apiError == APIError.networkError {
                message = apiError.localizedDescription
            }
            return .failure(message, apiError)
        }
    }
}

// MARK: 业务使用

struct HomeBanner: Decodable, Sendable, Equatable {
    let title: String
}

enum HomeBannerAPI {
    struct HomeBannerRequest: CSAPIRequest {
        typealias DataResponse = HomeBanner

        var parameters: APIParameters? {
            return nil
        }

        var path: String {
            return "/config/homeBanner"
        }

        /// 设置缓存
        var cache: APICache? {
            var cache = APICache()
            cache.readMode = .cancelNetwork
            cache.writeMode = .memoryAndDisk
            cache.expiry = .seconds(10)
            return cache
        }
    }

    struct MockBannerRequest: CSAPIRequest {
        typealias DataResponse = HomeBanner
        var path: String { "/config/homeBanner" }
        var isMock: Bool { true }
    }
}

@Suite("Usage examples of seed 5")
struct SeedExamplesTests {
    private let folder: TemporaryFolder
    private let client = StubAPIClient { _ in
        .json(#"{"code": 200, "desc": "ok", "data": {"title": "hello"}}"#)
    }
    private let service: APIService

    init() throws {
        folder = try TemporaryFolder()
        service = APIService(client: client, config: testSettings(folder))
    }

    @Test("The seed's HomeBannerRequest is sent, parsed, unwrapped and validated")
    func basic() async {
        let titles: APIResponse<CSBaseResponseModel<HomeBanner>> = await completion { done in
            service.sendRequest(HomeBannerAPI.HomeBannerRequest()) { reponse in
                done(reponse)
            }
        }
        switch titles.result.validateResult {
        case let .success(info, message):
            #expect(info == HomeBanner(title: "hello"))
            #expect(message == "ok")
        case let .failure(_, error): Issue.record(error)
        }
        #expect(client.requests.map(\.url?.absoluteString) == ["http://api.example/config/homeBanner"])
    }

    @Test(
        "A request with a cache property gets its first response from the network and its second from the cache"
    )
    func cacheByProperty() async {
        let changes = Recorded<[NetworkActivityPlugin.Change]>([])
        let networkActivityPlugin = NetworkActivityPlugin { change in changes.update { $0.append(change) } }
        let request = HomeBannerAPI.HomeBannerRequest()
        let told = Recorded<[String]>([])
        for _ in 1...2 {
            let _: Bool = await completion { done in
                service.sendRequest(
                    request, plugins: [networkActivityPlugin],
                    cacheHandler: { response in
                        /// 缓存回调
                        switch response.result.validateResult {
                        case let .success(info, _): told.update { $0.append("cache \(info.title)") }
                        case let .failure(_, error): told.update { $0.append("cache \(error)") }
                        }
                    },
                    completionHandler: { response in
                        /// 网络回调
                        switch response.result.validateResult {
                        case let .success(info, _):
                            told.update { $0.append("\(response.source) \(info.title)") }
                        case let .failure(_, error): told.update { $0.append("\(response.source) \(error)") }
                        }
                        done(true)
                    })
            }
        }
        #expect(told.value == ["cache nothing is cached", "network hello", "cache hello", "cache hello"])
        #expect(client.requests.count == 1)
    }

    private protocol Configuration { func cache() -> APICache }
    private struct SeedConfiguration: Configuration {
        @available(*, deprecated, message: "Uses the seed's spelling.")
        func cache() -> APICache {
            var cache = APICache()
            cache.writeNode = .memoryAndDisk
            return cache
        }
    }

    @Test("The seed's spelling writeNode sets writeMode")
    func writeNode() {
        let configuration: any Configuration = SeedConfiguration()
        #expect(configuration.cache().writeMode == .memoryAndDisk)
    }

    @Test("A request without a cache property is cached by CachePlugin")
    func cacheByPlugin() async {
        let request = HomeBannerAPI.MockBannerRequest()
        let told = Recorded<[String]>([])

        var cachePlugin = CachePlugin<HomeBannerAPI.MockBannerRequest>()
        var cache = APICache()
        cache.readMode = .cancelNetwork
        cache.writeMode = .memoryAndDisk
        cache.expiry = .seconds(10)
        cachePlugin.cache = cache
        cachePlugin.cacheHandler = { response in
            /// 缓存回调
            told.update { $0.append("cache: \(response.result.value?.data?.title ?? "nothing")") }
        }

        for _ in 1...2 {
            let _: Bool = await completion { [cachePlugin] done in
                service.sendRequest(request, plugins: [cachePlugin]) { reponse in
                    switch reponse.result.validateResult {
                    case let .success(info, _):
                        /// 这个 Info 就是上面我们传入的 HomeBanner 类型
                        told.update { $0.append(info.title) }
                    case let .failure(_, error):
                        Issue.record(error)
                    }
                    done(true)
                }
            }
        }
        #expect(told.value == ["cache: nothing", "hello", "cache: hello", "hello"])
        #expect(client.requests.map(\.url?.host) == ["mock.example"])
    }

    @Test("A response envelope whose code is not 200 fails validation")
    func otherCode() async {
        let service = APIService(
            client: StubAPIClient { _ in .json(#"{"code": 401, "desc": "log in"}"#) },
            config: testSettings(folder))
        let response = await service.response(to: HomeBannerAPI.MockBannerRequest())
        guard case .failure(_, let error) = response.result.validateResult else {
            Issue.record("no failure")
            return
        }
        #expect(
            error
                == .responseError(.invalidParseResponse(CSDataError.invalidParseResponse)))
    }

    @Test("The class methods of APIService use its default service, which can be replaced")
    func defaultService() async throws {
        APIService.default = service
        defer { APIService.default = APIService(client: URLSessionAPIClient()) }
        let model = try await APIService.sendRequest(HomeBannerAPI.MockBannerRequest())
        #expect(model.data == HomeBanner(title: "hello"))
        let response = await APIService.response(to: HomeBannerAPI.MockBannerRequest())
        #expect(try response.result.get().data == HomeBanner(title: "hello"))
        let delivered = await completion { done in
            APIService.sendRequest(HomeBannerAPI.MockBannerRequest(), completionHandler: done)
        }
        #expect(try delivered.result.get().data == HomeBanner(title: "hello"))
    }
}
