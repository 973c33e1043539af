import APIServiceTesting
import Foundation

@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A stub that follows redirects.
struct FollowingClient: APIStreamingClient {
    let stub: StubAPIClient
    /// Whether the client obeys the rules of the service's current request, as `RedirectPolicy` demands.
    let obeys: Bool
    /// Whether the client normalises the URLs of requests before it sends them.
    let normalises: Bool

    init(
        obeys: Bool = true, normalises: Bool = false,
        _ answer: @escaping @Sendable (URLRequest) async -> StubAPIClient.Answer
    ) {
        (stub, self.obeys, self.normalises) = (StubAPIClient(answer), obeys, normalises)
    }

    /// The methods and paths of the requests that were sent.
    var sent: [String] { stub.requests.map { "\($0.httpMethod ?? "") \($0.url?.path() ?? "")" } }

    func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        let policy = obeys ? RedirectPolicy().ofCurrentRequest : RedirectPolicy()
        return APIStreamTask(eventHandler) { emit in
            var (request, upload, followed) = (request, upload, 0)
            if normalises { request.url = request.url.flatMap { URL(string: $0.canonical) } }
            while true {
                let answer = await stub.collected(request, upload: upload, limit: nil, progressHandler)
                if let head = answer.response {
                    if followed < policy.limit,
                        let next = policy.next(
                            after: request, status: head.statusCode,
                            location: head.value(forHTTPHeaderField: "Location"))
                    {
                        if next.httpMethod != request.httpMethod { upload = nil }
                        (request, followed) = (next, followed + 1)
                        continue
                    }
                    emit(.head(head))
                }
                switch answer.result {
                case .success(let body):
                    if !body.isEmpty { emit(.piece(body)) }
                    emit(.end(nil))
                case .failure(let error): emit(.end(error))
                }
                return
            }
        }
    }
}

extension StubAPIClient.Answer {
    static func redirect(_ status: Int, to location: String) -> Self {
        .text("", statusCode: status, headers: ["Location": location])
    }
}
