import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client that can stream responses. Uploads from files and sequences, resumed downloads and server-sent events
/// require such a client. Default implementations derive both methods of ``APIClient`` from this protocol's single
/// requirement.
public protocol APIStreamingClient: APIClient {
    /// Creates an exchange that streams the response.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - upload: The body to send instead of the request's own.
    ///   - progressHandler: Called with the number of body bytes sent.
    ///   - eventHandler: Receives the head, then the pieces of the body in order, then the end, exactly once.
    ///     Calls do not overlap, and the client reads no further data during a call.
    func createStreamRequest(
        request: URLRequest,
        upload: APIUpload?,
        progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask
}

/// An event of a streamed exchange.
public enum APIStreamEvent: Sendable {
    /// The response's head. Redirects that are followed are not reported.
    case head(HTTPURLResponse)
    /// A nonempty piece of the body.
    case piece(Data)
    /// The end; `nil` if the response is complete.
    case end(APITransportError?)
}

extension APIStreamingClient {
    /// Collects the streamed response in memory.
    public func createDataRequest(
        request: URLRequest, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) -> any APIRequestTask {
        let collector = StreamCollector(
            limit: nil, progressHandler: progressHandler, completionHandler: completionHandler)
        return createStreamRequest(
            request: request, upload: nil, progressHandler: nil, eventHandler: { collector.take($0) })
    }

    /// Writes the streamed response to a file as it arrives, so that a download needs no more memory than one
    /// piece.
    public func createDownloadRequest(
        request: URLRequest, to: @escaping APIDownloadDestination, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDownloadResponseCompletionHandler
    ) -> any APIRequestTask {
        var request = request
        return FileDownload(
            to: to, file: TemporaryFile(for: &request), progressHandler, completionHandler
        ).task(self, request)
    }
}
