import APIService
import APIServiceTesting
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Failure: Error, Equatable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A request that a test sets up as it needs it.
struct TestRequest<Response: APIParsable>: APIRequest {
    var baseURL = url("http://test.example")
    var path = "/thing"
    var method = APIRequestMethod.get
    var parameters: APIParameters?
    var headers: APIRequestHeaders?
    var taskType = APIRequestTaskType.request
    var encoding: any APIParameterEncoding = APIURLEncoding.default
    var cache: APICache?
    var acceptableStatusCodes = 200..<300
    var timeout: Duration?
    var retry: APIRetryPolicy?
    var coalesces = false
    var onParameters: @Sendable (APIParameters?) throws -> APIParameters? = { $0 }
    var onRequest: @Sendable (URLRequest) throws -> URLRequest = { $0 }
    var onResponse: @Sendable (APIResponse<Response>, @escaping APICompletionHandler<Response>) -> Void = {
        $1($0)
    }

    init(_ type: Response.Type = Response.self, _ change: (inout Self) -> Void = { _ in }) { change(&self) }

    func intercept(parameters: APIParameters?) throws -> APIParameters? { try onParameters(parameters) }
    func intercept(urlRequest: URLRequest) throws -> URLRequest { try onRequest(urlRequest) }
    func intercept<U: APIRequest>(
        request: U, response: APIResponse<Response>,
        replaceResponseHandler: @escaping APICompletionHandler<Response>
    ) {
        onResponse(response, replaceResponseHandler)
    }
}

/// A text, which is not JSON: parsed as UTF-8.
struct Text: APIParsable, Equatable {
    let text: String
    init(_ text: String) { self.text = text }
    static func parse(data: Data) throws -> Text {
        guard let text = String(data: data, encoding: .utf8) else { throw Failure("no UTF-8") }
        if text == "unparsable" { throw Failure("unparsable") }
        return Text(text)
    }
}

func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is no URL") }
    return url
}

/// A plugin that notes its calls.
struct NotingPlugin: APIPlugin {
    var name = ""
    let notes: Recorded<[String]>
    var onPrepare: @Sendable (URLRequest) throws -> URLRequest = { $0 }

    func prepare<T: APIRequest>(_ request: URLRequest, targetRequest: T) throws -> URLRequest {
        notes.update { $0.append(name + "prepare") }
        return try onPrepare(request)
    }
    func willSend<T: APIRequest>(_ request: URLRequest, targetRequest: T) {
        notes.update { $0.append(name + "willSend") }
    }
    func willReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T) {
        notes.update { $0.append(name + "willReceive") }
    }
    func didReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T) {
        notes.update { $0.append(name + "didReceive") }
    }
}

/// Settings without a cache on disk that others use, on a clock of the test's own.
func testSettings(_ folder: TemporaryFolder? = nil, _ change: (inout APISettings) -> Void = { _ in })
    -> APIConfig
{
    var settings = APISettings()
    settings.cacheTool = folder.map { CacheTool(folder: $0.url) } ?? NoCache()
    change(&settings)
    return APIConfig(settings)
}

struct NoCache: APICacheTool {
    func entry(for key: APICacheKey) -> APICacheEntry? { nil }
    func store(_ entry: APICacheEntry, for key: APICacheKey, mode: APICacheWriteMode) {}
    func remove(_ key: APICacheKey) {}
    func removeAll(user: String?) {}
}

/// Suspends until the task is cancelled.
func untilCancelled() async {
    let (never, _) = AsyncStream<Never>.makeStream()
    for await _ in never {}
}

/// A door that is passed once it is open.
final class Door: Sendable {
    private let opened = AsyncStream<Never>.makeStream()
    func open() { opened.continuation.finish() }
    func pass() async { for await _ in opened.stream {} }
}

/// Runs `begin` and waits for what it hands to its completion handler.
func completion<T: Sendable>(_ begin: (@escaping @Sendable (T) -> Void) -> Void) async -> T {
    await withCheckedContinuation { waiter in begin { waiter.resume(returning: $0) } }
}

/// The tests that start processes. One at a time: while such a test waits, it holds one of the threads that all
/// tests share, of which a machine with two cores has two.
@Suite("With processes of their own", .serialized)
enum ProcessTests {}

extension Recorded where Value == Int {
    /// Counts one more: the first is 1.
    func next() -> Int {
        update { count in
            count += 1
            return count
        }
    }
}
