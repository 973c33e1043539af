import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The end of the chain: runs one exchange with the client, and waits until it ends or the task is cancelled.
struct Transport: Sendable {
    let client: any APIClient
    let transfer: (any APITransfer)?
    let settings: APISettings
    let journal: Journal
    let progressHandler: APIProgressHandler?

    @Sendable func send(_ request: URLRequest) async throws -> APIAnswer {
        try Task.checkCancellation()
        journal.note(.transport)
        do throws(APIError) {
            do { try request.checkFields() } catch { throw .requestError(error) }
            let answer: APIAnswer
            if let transfer {
                answer = try await transfer.send(request, client, progressHandler)
            } else {
                answer = try await client.answer(to: request, progressHandler)
            }
            journal.note(.statusCheck, "\(answer.response.statusCode)")
            return answer
        } catch {
            let error = settings.diagnosed(error)
            journal.note(.statusCheck, error.description)
            throw error
        }
    }
}

extension APIClient {
    /// Returns the answer to a request, with its body in memory.
    package func answer(
        to request: URLRequest, _ progressHandler: APIProgressHandler?
    ) async throws(APIError) -> APIAnswer {
        let end: APIDataResponse = await exchange { handler in
            createDataRequest(
                request: request, progressHandler: progressHandler, completionHandler: handler)
        }
        return APIAnswer(request: request, response: try end.head, body: try end.result.value)
    }

    /// Runs an exchange and returns its result. If the task is cancelled, the exchange is cancelled.
    package func exchange<T: Sendable>(
        _ create: (@escaping @Sendable (T) -> Void) -> any APIRequestTask
    ) async -> T {
        let end = FirstAnswer<T>()
        let task = create { end.give($0) }
        return await withTaskCancellationHandler {
            task.resume()
            await end.settled()
            return end.value
        } onCancel: {
            task.cancel()
        }
    }
}

extension Result where Failure == APITransportError {
    /// The value.
    ///
    /// - Throws: The transport's error, as callers of a service receive it.
    package var value: Success {
        get throws(APIError) {
            switch self {
            case .success(let value): return value
            case .failure(.unreachable): throw .networkError
            case .failure(.broken(let error)): throw .connectionError(error)
            case .failure(.local(let error)): throw .localError(error)
            case .failure(.cancelled): throw .cancelled
            }
        }
    }
}

extension APIDataResponse {
    /// The head of a successful response.
    package var head: HTTPURLResponse {
        get throws(APIError) {
            _ = try result.value
            guard let response else { throw .connectionError(MissingHead()) }
            return response
        }
    }
}

/// The client delivered a body without a head.
package struct MissingHead: Error {
    package init() {}
}
