import APIService

extension APIService {
    /// Sends a request to the operator's server and decodes the envelope of the response.
    ///
    /// - Returns: The payload of the response, and whether the response came from the cache.
    /// - Throws: ``TransitError``.
    public nonisolated(nonsending) func ask<Request: TransitRequest>(
        _ request: Request
    ) async throws(TransitError) -> (payload: Request.Payload, isCached: Bool) {
        let response = await response(to: request)
        do {
            return (try response.result.get().data, response.source != .network)
        } catch {
            if case .responseError(.invalidParseResponse(let error as TransitError, _)) = error {
                throw error
            }
            throw .network(error)
        }
    }
}
