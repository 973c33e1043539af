import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client that can stream responses. Uploads from files, resumed downloads and server-sent events require
/// such a client. Default implementations derive both methods of ``APIClient`` from the protocol's single
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
            progressHandler: progressHandler, completionHandler: completionHandler)
        return createStreamRequest(
            request: request, upload: nil, progressHandler: nil, eventHandler: { collector.take($0) })
    }

    /// Writes the streamed response to a file as it arrives, so that a download needs no more memory than one
    /// piece.
    public func createDownloadRequest(
        request: URLRequest, to: @escaping APIDownloadDestination, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDownloadResponseCompletionHandler
    ) -> any APIRequestTask {
        let download = FileDownload(to: to, progressHandler, completionHandler)
        return createStreamRequest(
            request: request, upload: nil, progressHandler: nil, eventHandler: { download.take($0) })
    }
}

/// Collects the events of a streamed exchange into one response.
///
/// All operations are thread-safe. The events arrive one at a time.
package final class StreamCollector: Sendable {
    private let state = Locked<(head: HTTPURLResponse?, body: Data)>((nil, Data()))
    private let progressHandler: APIProgressHandler?
    private let completionHandler: APIDataResponseCompletionHandler

    package init(
        progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) {
        (self.progressHandler, self.completionHandler) = (progressHandler, completionHandler)
    }

    package func take(_ event: APIStreamEvent) {
        switch event {
        case .head(let head): state.withLock { $0 = (head, Data()) }
        case .piece(let piece):
            let (count, head) = state.withLock { state in
                // Usually there is only one piece, which need not be copied. (Callers may rely on indices
                // that start at 0.)
                if state.body.isEmpty, piece.startIndex == 0 {
                    state.body = piece
                } else {
                    state.body.append(piece)
                }
                return (state.body.count, state.head)
            }
            guard let progressHandler else { return }
            progressHandler(
                APIProgress(.download, completed: Int64(count), total: head?.expectedLength(beyond: count)))
        case .end(let error):
            let (head, body) = state.withLock { $0 }
            completionHandler(
                APIDataResponse(response: head, result: error.map { .failure($0) } ?? .success(body)))
        }
    }
}

extension HTTPURLResponse {
    /// Returns the declared length of the body; `nil` if the body was compressed or is longer than that.
    package func expectedLength(beyond count: Int) -> Int64? {
        guard value(forHTTPHeaderField: "Content-Encoding") == nil,
            let length = value(forHTTPHeaderField: "Content-Length").flatMap(Int64.init), length >= count
        else { return nil }
        return length
    }
}
