import APIService
import ErrorCode

/// Why the operator's server did not give what it was asked for.
public enum TransitError: Error, Sendable, CustomStringConvertible {
    /// It answered with this code.
    case refused(ErrorCode)
    /// It could not be asked, or answered with something else than its envelope.
    case network(APIError)

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .refused(let code): code.message
        case .network(let error): "\(error)"
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
        let answer: TransitAnswer<Request.Payload>
        do { answer = try response.result.get() } catch { throw .network(error) }
        guard answer.code == ErrorCode.success.rawValue, let payload = answer.data else {
            throw .refused(ErrorCode(rawValue: answer.code))
        }
        return (payload, response.source != .network)
    }
}
