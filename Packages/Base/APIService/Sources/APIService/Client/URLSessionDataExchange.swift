import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange whose answer is told when all of it has come, by `URLSession`'s async function: on Linux that
/// was measured to be faster than a delegate, which is told head, body and end one after the other. The
/// delegate refuses all redirects; they are followed here, with a task each.
///
/// All operations are safe from every thread.
final class URLSessionDataExchange: APIRequestTask {
    private struct State {
        var isStarted = false
        var isEnded = false
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())
    private let request: URLRequest
    private let redirects: RedirectPolicy
    /// Keeps the session alive, which the client would end when it goes.
    private let session: URLSession
    private let completionHandler: APIDataResponseCompletionHandler

    init(
        _ request: URLRequest, session: URLSession, redirects: RedirectPolicy,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) {
        (self.request, self.session, self.redirects) = (request, session, redirects)
        self.completionHandler = completionHandler
    }

    func resume() {
        let starts = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isEnded
        }
        guard starts else { return }
        let task = Task { await self.run() }
        let isEnded = state.withLock { state in
            if !state.isEnded { state.task = task }
            return state.isEnded
        }
        if isEnded { task.cancel() }
    }

    func cancel() {
        // Told at once, and not left to the session: on Linux it may be late or never come.
        end(nil, .failure(.cancelled))
    }

    private func run() async {
        var request = request
        var followed = 0
        while true {
            do {
                let (body, response) = try await session.data(for: request)
                guard let head = response as? HTTPURLResponse else {
                    return end(nil, .failure(.broken(URLError(.badServerResponse))))
                }
                guard followed < redirects.limit,
                    let next = redirects.next(
                        after: request, status: head.statusCode,
                        location: head.value(forHTTPHeaderField: "Location"))
                else { return end(head, .success(body)) }
                followed += 1
                request = next
            } catch {
                return end(nil, .failure(URLSessionDelegateHub.transportError(error)))
            }
        }
    }

    private func end(_ head: HTTPURLResponse?, _ result: Result<Data, APITransportError>) {
        let (isFirst, task) = state.withLock { state -> (Bool, Task<Void, Never>?) in
            defer { (state.isEnded, state.task) = (true, nil) }
            return (!state.isEnded, state.task)
        }
        guard isFirst else { return }
        if case .failure(.cancelled) = result { task?.cancel() }
        completionHandler(APIDataResponse(response: head, result: result))
    }
}
