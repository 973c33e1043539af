import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange with a server.
public protocol APIRequestTask: Sendable {
    /// Starts the exchange. Does nothing if the exchange was already started or cancelled.
    func resume()

    /// Cancels the exchange, even before ``resume()``. The completion handler is called with
    /// ``APITransportError/cancelled``, unless it has already been called.
    func cancel()
}

/// Sends a `URLRequest` to a server and returns the response. A client does not parse, cache or retry, and
/// does not know which status codes are acceptable.
///
/// The contract, which `APIClientConformance` (module APIServiceTesting) checks:
/// - A task does nothing before ``APIRequestTask/resume()``.
/// - The completion handler is called exactly once after `resume()` or `cancel()`, on any thread, even if the
///   connection breaks or the task is cancelled. No progress is reported afterwards.
/// - Every status is delivered as a response, not as an error.
/// - A body that ends before its declared length is an error, never a shorter body.
/// - Redirects are followed up to a limit. A redirect to another origin drops the request's credentials.
/// - Content encodings that the client itself asked for (gzip) are decoded.
/// - A response with conflicting Content-Length fields is an error (RFC 9112, 6.3).
/// - Responses are not cached and cookies are not kept.
///
/// Source: seed 5, "APIClient 协议".
public protocol APIClient: Sendable {
    /// The header fields, in lower case, that carry credentials. Redirects to another origin drop them, and
    /// recordings do not contain their values.
    ///
    /// If no user is known, the cache separates responses by the values that these fields have before accessories adapt
    /// the request. The credentials that an accessory adds are represented only by `APIAccessory.user`. If a user is
    /// known, from an accessory or from `APISettings.user`, the cache uses the user instead of these fields. (Requests
    /// share an exchange only if all their header fields and their users are equal: see the module APICoalescing.)
    var credentialFields: Set<String> { get }

    /// Creates an exchange that keeps the response in memory.
    func createDataRequest(
        request: URLRequest,
        progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) -> any APIRequestTask

    /// Creates an exchange that writes the body to a file if the status is 200 to 299, and keeps it in memory
    /// otherwise.
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

/// The response to a data request.
public struct APIDataResponse: Sendable {
    /// The response's head; `nil` if no head arrived.
    public let response: HTTPURLResponse?
    /// The complete body, or the error.
    public let result: Result<Data, APITransportError>

    /// Creates a response.
    public init(response: HTTPURLResponse?, result: Result<Data, APITransportError>) {
        (self.response, self.result) = (response, result)
    }
}

/// The response to a download request.
public struct APIDownloadResponse: Sendable {
    /// The body of a complete response.
    public enum Body: Sendable, Hashable {
        /// The file at its destination.
        case file(URL)
        /// The body of a response whose status is not 200 to 299.
        case data(Data)
    }

    /// The response's head; `nil` if no head arrived.
    public let response: HTTPURLResponse?
    /// The complete body, or the error.
    public let result: Result<Body, APITransportError>

    /// Creates a response.
    public init(response: HTTPURLResponse?, result: Result<Body, APITransportError>) {
        (self.response, self.result) = (response, result)
    }
}

/// The progress of an exchange.
public struct APIProgress: Sendable, Hashable {
    /// The direction of the transfer.
    public enum Direction: Sendable, Hashable {
        /// To the server.
        case upload
        /// From the server.
        case download
    }

    /// The direction of the transfer.
    public let direction: Direction
    /// The number of bytes transferred so far. It never decreases within an attempt.
    public let completed: Int64
    /// The total number of bytes; `nil` if it is unknown.
    public let total: Int64?

    /// Creates a progress value.
    public init(_ direction: Direction, completed: Int64, total: Int64?) {
        (self.direction, self.completed, self.total) = (direction, completed, total)
    }
}

/// Receives the progress of an exchange. Called on any thread.
public typealias APIProgressHandler = @Sendable (APIProgress) -> Void
/// Receives the response to a data request.
public typealias APIDataResponseCompletionHandler = @Sendable (APIDataResponse) -> Void
/// Receives the response to a download request.
public typealias APIDownloadResponseCompletionHandler = @Sendable (APIDownloadResponse) -> Void
/// Returns the destination of a download, given the response's head. Called once, when the file is complete.
public typealias APIDownloadDestination = @Sendable (HTTPURLResponse) -> URL
