import APICache
import APICoalescing
import APIService
import APIServiceTesting
import APITransport
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

/// A request that lets a test set every property.
struct TestRequest<Response: APIParsable>: APICoalescingRequest {
    var baseURL = url("http://test.example")
    var path = "/thing"
    var method = APIRequestMethod.get
    var parameters: APIParameters?
    var headers: APIRequestHeaders?
    var taskType = APIRequestTaskType.request
    var encoding: any APIParameterEncoding = APIURLEncoding.default
    var cache: APICache?
    var acceptableStatusCodes = APIStatusCodes.successes
    var timeout: Duration?
    var retry: APIRetryPolicy?
    var requiredUser: String?
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

/// A plain-text body, parsed as UTF-8. The text "unparsable" makes parsing fail.
struct Text: APIParsable, Equatable {
    let text: String
    init(_ text: String) { self.text = text }
    static func parse(data: Data) throws -> Text {
        guard let text = String(data: data, encoding: .utf8) else { throw Failure("not UTF-8") }
        if text == "unparsable" { throw Failure("unparsable") }
        return Text(text)
    }
}

func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is not a URL") }
    return url
}

/// A plugin that records which of its methods were called.
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

/// A configuration that caches in `folder`, or that does not cache if `folder` is nil, so that tests never
/// share the app's cache. Cached responses do not age, because the machine may be busy.
func testSettings(_ folder: TemporaryFolder? = nil, _ change: (inout APISettings) -> Void = { _ in })
    -> APIConfig
{
    .forTests { settings in
        settings.coalescing = APICoalescing()
        settings.cacheTool = folder.map { CacheTool(folder: $0.url) } ?? NoCache()
        settings.now = { [now = Date()] in now }
        change(&settings)
    }
}

struct NoCache: APICacheTool {
    func entry(for key: APICacheKey) -> APICacheEntry? { nil }
    func store(_ entry: APICacheEntry, for key: APICacheKey, mode: APICacheWriteMode) {}
    func remove(_ key: APICacheKey) {}
    func removeAll(at location: String) {}
    func removeAll(user: String?) {}
}

/// Suspends until the task is cancelled.
func untilCancelled() async {
    let (never, _) = AsyncStream<Never>.makeStream()
    for await _ in never {}
}

/// A latch that opens once: ``pass()`` suspends until ``open()`` is called.
final class Door: Sendable {
    private let opened = AsyncStream<Never>.makeStream()
    func open() { opened.continuation.finish() }
    func pass() async { for await _ in opened.stream {} }
}

/// Calls `begin` with a completion handler, and returns the value that the handler receives.
func completion<T: Sendable>(_ begin: (@escaping @Sendable (T) -> Void) -> Void) async -> T {
    await withCheckedContinuation { waiter in begin { waiter.resume(returning: $0) } }
}

/// The tests that start child processes. They run one at a time, because a test that waits for its child
/// blocks a thread of the pool that all tests share. On a machine with two cores, this pool has two threads.
@Suite("Tests that start child processes", .serialized, .waitLimit)
enum ProcessTests {}

extension Recorded where Value == Int {
    /// Increments the count and returns the new value.
    func next() -> Int {
        update { count in
            count += 1
            return count
        }
    }
}

/// Another client, as one that cannot stream.
struct PlainClient: APIClient {
    let client: any APIClient

    func createDataRequest(
        request: URLRequest, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) -> any APIRequestTask {
        client.createDataRequest(
            request: request, progressHandler: progressHandler, completionHandler: completionHandler)
    }

    func createDownloadRequest(
        request: URLRequest, to: @escaping APIDownloadDestination, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDownloadResponseCompletionHandler
    ) -> any APIRequestTask {
        client.createDownloadRequest(
            request: request, to: to, progressHandler: progressHandler, completionHandler: completionHandler)
    }
}
