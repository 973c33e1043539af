import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension APIClient {
    /// Runs an exchange and returns its result. If the task is cancelled, the exchange is cancelled.
    package func exchange<T: Sendable>(
        _ create: (@escaping @Sendable (T) -> Void) -> any APIRequestTask
    ) async -> T {
        let end = FirstAnswer<T>()
        let task = create { end.give($0) }
        return await withTaskCancellationHandler {
            task.resume()
            return await end.value()
        } onCancel: {
            task.cancel()
        }
    }

    /// Returns the response with its body in memory. See ``collecting(_:upload:limit:_:_:)``.
    package func collected(
        _ request: URLRequest, upload: APIUpload? = nil, limit: Int?, _ progressHandler: APIProgressHandler?
    ) async -> APIDataResponse {
        await exchange { collecting(request, upload: upload, limit: limit, progressHandler, $0) }
    }

    /// Creates an exchange that keeps the body in memory. If the client can stream, an exchange whose body
    /// exceeds the limit is cancelled.
    ///
    /// - Parameters:
    ///   - upload: The body to send instead of the request's own. Clients that cannot stream ignore it.
    ///   - limit: The maximum size of the response's body.
    ///   - progressHandler: Receives the progress of the upload if there is one, otherwise the progress of the
    ///     response.
    ///   - completionHandler: Receives the response.
    package func collecting(
        _ request: URLRequest, upload: APIUpload? = nil, limit: Int?, _ progressHandler: APIProgressHandler?,
        _ completionHandler: @escaping APIDataResponseCompletionHandler
    ) -> any APIRequestTask {
        guard let client = self as? any APIStreamingClient else {
            return createDataRequest(
                request: request, progressHandler: progressHandler, completionHandler: completionHandler)
        }
        let collector = StreamCollector(
            limit: limit, progressHandler: upload == nil ? progressHandler : nil,
            completionHandler: completionHandler)
        return collector.collect(
            client.createStreamRequest(
                request: request, upload: upload, progressHandler: upload == nil ? nil : progressHandler,
                eventHandler: { collector.take($0) }))
    }
}

/// Collects the events of a streamed exchange into one response, and cancels an exchange whose body exceeds a
/// limit.
///
/// All operations are thread-safe. The events arrive one at a time.
final class StreamCollector: Sendable {
    private let state: Locked<StreamedBody>
    private let progressHandler: APIProgressHandler?
    private let completionHandler: APIDataResponseCompletionHandler

    init(
        limit: Int?, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) {
        state = Locked(StreamedBody(limit: limit))
        (self.progressHandler, self.completionHandler) = (progressHandler, completionHandler)
    }

    /// Returns an exchange that is cancelled when its body exceeds the limit. It must be started or cancelled.
    func collect(_ task: any APIRequestTask) -> any APIRequestTask {
        state.withLock { $0.start(task) }
        return task
    }

    func take(_ event: APIStreamEvent) {
        switch event {
        case .head(let head): state.withLock { $0.head = head }
        case .piece(let piece):
            let (count, total, unneeded) = state.withLock { state in
                state.write(piece)
                let count = Int64(state.other.count)
                return (count, state.expectedLength(beyond: count), state.unneeded)
            }
            unneeded?.cancel()
            guard let progressHandler, unneeded == nil else { return }
            progressHandler(APIProgress(.download, completed: count, total: total))
        case .end(let error):
            let response = state.withLock { state in
                state.end()
                return APIDataResponse(
                    response: state.head,
                    result: state.error(after: error).map { .failure($0) } ?? .success(state.other))
            }
            completionHandler(response)
        }
    }
}
