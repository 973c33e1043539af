import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Collects the events of a streamed exchange into one response.
///
/// All operations are thread-safe. The events arrive one at a time.
final class StreamCollector: Sendable {
    private let state = Locked<(head: HTTPURLResponse?, body: Data)>((nil, Data()))
    private let progressHandler: APIProgressHandler?
    private let completionHandler: APIDataResponseCompletionHandler

    init(
        progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) {
        (self.progressHandler, self.completionHandler) = (progressHandler, completionHandler)
    }

    func take(_ event: APIStreamEvent) {
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
    func expectedLength(beyond count: Int) -> Int64? {
        guard value(forHTTPHeaderField: "Content-Encoding") == nil,
            let length = value(forHTTPHeaderField: "Content-Length").flatMap(Int64.init), length >= count
        else { return nil }
        return length
    }
}
