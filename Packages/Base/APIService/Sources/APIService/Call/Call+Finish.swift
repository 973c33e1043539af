import Foundation
import Locking

/// The step that delivers the response.
extension Call {
    /// Calls the plugins and the response interceptor, and delivers the response.
    nonisolated(nonsending) func finish<T: APIRequest>(
        _ received: APIResponse<T.Response>, _ request: T, _ plugins: [any APIPlugin],
        _ deliver: nonisolated(nonsending) (APIResponse<T.Response>) async -> Void
    ) async -> APIResponse<T.Response> {
        var response = received
        if let error = response.result.error { response.result = .failure(error.naming(response.url)) }
        let wasSent = departure.close()
        response.explanation = journal.explanation
        if wasSent {
            journal.note(.willReceive)
            for plugin in plugins { plugin.willReceive(response, targetRequest: request) }
        }
        // A call that has ended early skips the interceptor, or does not wait for it to finish. An expired response
        // that replaces the time-out is delivered.
        if response.source != .stale || signal.reason != .timedOut {
            do {
                response = try await signal.wait { [response] answer in
                    journal.note(.responseInterceptor)
                    request.intercept(request: request, response: response, replaceResponseHandler: answer)
                    return {}
                }
            } catch {
                (response.result, response.source) = (.failure(error.naming(response.url)), .network)
            }
        }
        journal.note(.delivery)
        if wasSent { journal.note(.didReceive) }
        response.explanation = journal.explanation
        await deliver(response)
        guard wasSent else { return response }
        for plugin in plugins { plugin.didReceive(response, targetRequest: request) }
        return response
    }
}

extension APIResponse {
    /// The URL that gave the response, or that the request was for.
    fileprivate var url: URL? { response?.url ?? request?.url }
}

/// Records whether a request has been sent to the network, so that each `willSend` is followed by a `didReceive`.
final class Departure: Sendable {
    private enum State { case waiting, departed, closed }
    private let state = Locked(State.waiting)

    /// Calls `announce` on the first call, unless the request has ended. Returns false if the request has ended.
    func open(_ announce: () -> Void) -> Bool {
        state.withLock { state in
            guard state == .waiting else { return state == .departed }
            state = .departed
            announce()
            return true
        }
    }

    /// Ends the request. Returns whether it was sent.
    func close() -> Bool {
        state.withLock { state in
            defer { state = .closed }
            return state == .departed
        }
    }
}
