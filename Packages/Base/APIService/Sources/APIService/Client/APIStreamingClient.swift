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
        let download = FileDownload(to: to, progressHandler, completionHandler)
        return createStreamRequest(
            request: request, upload: nil, progressHandler: nil, eventHandler: { download.take($0) })
    }
}

/// Collects the events of a streamed exchange into one response, and cancels an exchange whose body exceeds a
/// limit.
///
/// All operations are thread-safe. The events arrive one at a time.
package final class StreamCollector: Sendable {
    private struct State {
        var head: HTTPURLResponse?
        var body = Data()
        var isTooLarge = false
        /// The exchange, until it ends.
        var task: (any APIRequestTask)?
    }

    private let state = Locked(State())
    private let limit: Int?
    private let progressHandler: APIProgressHandler?
    private let completionHandler: APIDataResponseCompletionHandler

    init(
        limit: Int?, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) {
        (self.limit, self.progressHandler) = (limit, progressHandler)
        self.completionHandler = completionHandler
    }

    /// Returns an exchange that is cancelled when its body exceeds the limit.
    func collect(_ task: any APIRequestTask) -> any APIRequestTask {
        if limit != nil { state.withLock { $0.task = task } }
        return task
    }

    func take(_ event: APIStreamEvent) {
        switch event {
        case .head(let head): state.withLock { ($0.head, $0.body) = (head, Data()) }
        case .piece(let piece):
            let (count, head, excessive) = state.withLock { add(piece, &$0) }
            excessive?.cancel()
            guard let progressHandler, excessive == nil else { return }
            progressHandler(
                APIProgress(.download, completed: Int64(count), total: head?.expectedLength(beyond: count)))
        case .end(let error):
            let state = state.withLock { state in
                state.task = nil
                return state
            }
            let result: Result<Data, APITransportError> =
                if state.isTooLarge, let limit {
                    .failure(.broken(APIResponseError.tooLarge(limit)))
                } else {
                    error.map { .failure($0) } ?? .success(state.body)
                }
            completionHandler(APIDataResponse(response: state.head, result: result))
        }
    }

    /// Adds a piece, and returns the exchange if it has to be cancelled.
    private func add(
        _ piece: Data, _ state: inout State
    ) -> (count: Int, head: HTTPURLResponse?, excessive: (any APIRequestTask)?) {
        guard !state.isTooLarge else { return (0, nil, nil) }
        if let limit, piece.count > limit - state.body.count {
            (state.isTooLarge, state.body) = (true, Data())
            return (0, nil, state.task)
        }
        // Usually there is only one piece, which need not be copied. A piece whose indices do not start at 0
        // is copied, because callers may rely on indices that start at 0.
        if state.body.isEmpty, piece.startIndex == 0 {
            state.body = piece
        } else {
            state.body.append(piece)
        }
        return (state.body.count, state.head, nil)
    }
}

extension HTTPURLResponse {
    /// The distinct values of the Content-Length fields. More than one value is an error of the server.
    var declaredLengths: Set<Substring> {
        Set((value(forHTTPHeaderField: "Content-Length") ?? "").split { $0 == "," || $0 == " " })
    }

    /// Returns the declared length of the body; `nil` if the body was compressed or is longer than declared.
    package func expectedLength(beyond count: Int) -> Int64? {
        guard value(forHTTPHeaderField: "Content-Encoding") == nil,
            let field = value(forHTTPHeaderField: "Content-Length"),
            let length = Int64(field) ?? Int64(declaredLengths.joined(separator: ",")), length >= count
        else { return nil }
        return length
    }
}

/// A task for clients that perform an exchange in an async function. It runs the function, reports its events
/// one at a time, and reports exactly one end, immediately if the task is cancelled.
///
/// All operations are thread-safe.
public final class APIStreamTask: APIRequestTask {
    /// Reports the next event of the exchange.
    public typealias Emit = @Sendable (APIStreamEvent) -> Void

    private struct State {
        var isStarted = false
        var isEnded = false
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())
    /// Held while the handler is called. Recursive, so that a handler may cancel.
    private let handlerLock = NSRecursiveLock()
    private let eventHandler: Emit
    private let work: @Sendable (@escaping Emit) async -> Void

    /// Creates a task that reports to `eventHandler`.
    ///
    /// - Parameters:
    ///   - eventHandler: Receives the events that `work` emits, up to and including the end.
    ///   - work: The exchange, which ``resume()`` runs in a task that ``cancel()`` cancels. It must emit an
    ///     end. Events after the first end are ignored.
    public init(
        _ eventHandler: @escaping Emit, work: @escaping @Sendable (_ emit: @escaping Emit) async -> Void
    ) {
        (self.eventHandler, self.work) = (eventHandler, work)
    }

    /// Starts the exchange. Does nothing if it was started or cancelled before.
    public func resume() {
        let starts = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isEnded
        }
        guard starts else { return }
        let task = Task { await work { self.emit($0) } }
        let isEnded = state.withLock { state in
            state.task = task
            return state.isEnded
        }
        if isEnded { task.cancel() }
    }

    /// Ends the exchange with ``APITransportError/cancelled``, unless it has ended. Waits for a running call
    /// of the handler.
    public func cancel() {
        emit(.end(.cancelled))
        state.withLock { $0.task }?.cancel()
    }

    private func emit(_ event: APIStreamEvent) {
        handlerLock.withLock {
            let passes = state.withLock { state in
                guard !state.isEnded else { return false }
                if case .end = event { state.isEnded = true }
                return true
            }
            if passes { eventHandler(event) }
        }
    }
}
