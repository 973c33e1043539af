import APIService
import ErrorCode

/// Why the operator's server did not give what it was asked for.
public enum TransitError: Error, Sendable, CustomStringConvertible {
    /// It answered with this code.
    case refused(ErrorCode)
    /// It could not be asked, or answered with something else than its envelope.
    case network(APIError)

    /// What happened and what to do, in a sentence for the passenger. (``network(_:)`` has what a log wants.)
    public var description: String {
        switch self {
        case .refused(let code): code.message
        case .network(.networkError):
            "The server cannot be reached; please check the connection and try again."
        case .network(.connectionError): "The connection to the server broke; please try again."
        case .network(.timedOut): "The server took too long to answer; please try again later."
        case .network(.cancelled): "The request was called off."
        case .network(.responseError(.unacceptableStatus(let failure))):
            "The server cannot answer now; please try again later (status \(failure.statusCode))."
        case .network(.responseError(.invalidParseResponse)):
            "The server's answer is none that this app understands; try again later, or update the app."
        case .network(.vetoed(let veto)): "The request was not sent: \(veto.reason)"
        case .network(.requestError), .network(.cacheError): "The app cannot ask this; please update it."
        }
    }
}

extension APIService {
    /// Sends a request to the operator's server.
    ///
    /// - Returns: What the answer holds, and whether it came from the cache.
    /// - Throws: ``TransitError``.
    public nonisolated(nonsending) func ask<Request: TransitRequest>(
        _ request: Request
    ) async throws(TransitError) -> (payload: Request.Payload, isCached: Bool) {
        let response = await response(to: request)
        do {
            return (try response.result.get().data, response.source != .network)
        } catch {
            if case .responseError(.invalidParseResponse(let error as TransitError)) = error { throw error }
            throw .network(error)
        }
    }
}
