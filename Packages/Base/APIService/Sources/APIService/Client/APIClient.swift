import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange with a server that a client has been asked for.
public protocol APIRequestTask: Sendable {
    /// Starts the exchange. Does nothing when it was started or cancelled before.
    func resume()

    /// Ends the exchange: its completion handler is called with ``APITransportError/cancelled``, unless it has
    /// been called already. Before ``resume()`` too.
    func cancel()
}

/// The sender: takes a `URLRequest` to a server and brings the answer back. It knows nothing of parsing,
/// caching, retries or status codes.
///
/// The contract, which `APIClientConformance` (module APIServiceTesting) checks:
/// - A task does nothing before ``APIRequestTask/resume()``.
/// - The completion handler is called exactly once after `resume()` or `cancel()`, from any thread, even when
///   the connection breaks or the task is cancelled; no progress comes after it.
/// - Any status is an answer, not an error.
/// - A body that ends before its declared length is an error, never a shorter body.
/// - Redirects are followed up to a limit; to another origin without the credentials of the request.
/// - Content encodings that the client asked for itself (gzip) are undone.
/// - Nothing is cached and no cookie is kept.
///
/// Source: seeds/5-CSAPIService.md, "APIClient 协议".
public protocol APIClient: Sendable {
    /// The header fields, in lower case, that carry credentials. No other origin gets them by a redirect, and no file
    /// of recordings has these fields' values.
    ///
    /// What is cached is kept apart by their values in the request as it is before the accessories adapt it, while no
    /// user is known. What an accessory adds is kept apart by ``APIAccessory/user`` alone, and a user that is known, from
    /// an accessory or by ``APISettings/user``, takes the place of all these fields. (What is shared,
    /// ``APIRequest/coalesces``, is kept apart by all fields, these and others, and by the users.)
    var credentialFields: Set<String> { get }

    /// An exchange whose answer is kept in memory.
    func createDataRequest(
        request: URLRequest,
        progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) -> any APIRequestTask

    /// An exchange whose answer becomes a file, when its status is 200 to 299; the body of any other is kept
    /// in memory.
    func createDownloadRequest(
        request: URLRequest,
        to: @escaping APIDownloadDestination,
        progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDownloadResponseCompletionHandler
    ) -> any APIRequestTask
}

extension APIClient {
    /// Authorization, Cookie and Proxy-Authorization.
    public var credentialFields: Set<String> { RedirectPolicy.standardFields }
}

/// A client that can hand an answer over piece by piece: what uploads from files, resumed downloads and
/// server-sent events need. It gets both of ``APIClient``'s requirements from this one.
public protocol APIStreamingClient: APIClient {
    /// An exchange whose answer is handed over as it comes.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - upload: The body, in place of the request's own.
    ///   - progressHandler: Told how much of the body has been sent.
    ///   - eventHandler: Gets the head, then pieces of the body in order, then the end; one call at a time, and
    ///     the end exactly once. The client reads no further while a call lasts.
    func createStreamRequest(
        request: URLRequest,
        upload: APIUpload?,
        progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask
}

/// What comes of a streamed exchange.
public enum APIStreamEvent: Sendable {
    /// The answer's head. Redirects have none.
    case head(HTTPURLResponse)
    /// A piece of the body, not empty.
    case piece(Data)
    /// The end: nil when the answer is whole.
    case end(APITransportError?)
}

/// Why an exchange broke.
public enum APITransportError: Error, Sendable, CustomStringConvertible {
    /// No connection could be made: no network, no such host, nobody there.
    case unreachable(any Error)
    /// It broke on the way.
    case broken(any Error)
    /// It was called off.
    case cancelled

    /// What went wrong.
    public var description: String {
        switch self {
        case .unreachable(let error): "unreachable: \(error)"
        case .broken(let error): "broken: \(error)"
        case .cancelled: "cancelled"
        }
    }
}

/// The answer to a data request.
public struct APIDataResponse: Sendable {
    /// The answer's head, if one came.
    public let response: HTTPURLResponse?
    /// The body, or why it is not whole.
    public let result: Result<Data, APITransportError>

    /// An answer of these parts.
    public init(response: HTTPURLResponse?, result: Result<Data, APITransportError>) {
        (self.response, self.result) = (response, result)
    }
}

/// The answer to a download.
public struct APIDownloadResponse: Sendable {
    /// What came of a whole answer.
    public enum Body: Sendable, Hashable {
        /// The file at its destination.
        case file(URL)
        /// The body of an answer that is no success.
        case data(Data)
    }

    /// The answer's head, if one came.
    public let response: HTTPURLResponse?
    /// What was got, or why it is not whole.
    public let result: Result<Body, APITransportError>

    /// An answer of these parts.
    public init(response: HTTPURLResponse?, result: Result<Body, APITransportError>) {
        (self.response, self.result) = (response, result)
    }
}

/// How far an exchange has come.
public struct APIProgress: Sendable, Hashable {
    /// Which way the bytes go.
    public enum Direction: Sendable, Hashable {
        /// To the server.
        case upload
        /// From the server.
        case download
    }

    /// Which way the bytes go.
    public let direction: Direction
    /// The bytes so far. Never less than before in the same attempt.
    public let completed: Int64
    /// The bytes in all; nil when that is not known.
    public let total: Int64?

    /// So far.
    public init(_ direction: Direction, completed: Int64, total: Int64?) {
        (self.direction, self.completed, self.total) = (direction, completed, total)
    }
}

/// Gets told how far an exchange has come, from any thread.
public typealias APIProgressHandler = @Sendable (APIProgress) -> Void
/// Gets the answer to a data request.
public typealias APIDataResponseCompletionHandler = @Sendable (APIDataResponse) -> Void
/// Gets the answer to a download.
public typealias APIDownloadResponseCompletionHandler = @Sendable (APIDownloadResponse) -> Void
