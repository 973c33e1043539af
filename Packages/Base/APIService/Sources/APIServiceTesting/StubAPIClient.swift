import APIService
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client without a network: a closure answers.
///
/// ```swift
/// let client = StubAPIClient { request in .json(#"{"id": 1}"#) }
/// let service = APIService(client: client, config: APIConfig())
/// ```
///
/// It conforms to `APIStreamingClient`, so that downloads, uploads and streams can be stubbed too; an upload's
/// body is in the `httpBody` of the request that the closure gets.
///
/// All operations are safe from every thread.
public final class StubAPIClient: APIStreamingClient {
    /// What a stub answers.
    public struct Answer: Sendable {
        /// The status code.
        public var statusCode: Int
        /// The header fields.
        public var headers: [String: String]
        /// The body, in pieces.
        public var pieces: [Data]
        /// How the exchange breaks after the pieces; nil: it does not.
        public var error: APITransportError?

        /// An answer.
        public init(
            statusCode: Int = 200, headers: [String: String] = [:], pieces: [Data] = [],
            error: APITransportError? = nil
        ) {
            (self.statusCode, self.headers, self.pieces, self.error) = (statusCode, headers, pieces, error)
        }

        /// A body of this text.
        public static func text(
            _ text: String, statusCode: Int = 200, headers: [String: String] = [:]
        ) -> Answer {
            Answer(statusCode: statusCode, headers: headers, pieces: text.isEmpty ? [] : [Data(text.utf8)])
        }

        /// A body of this JSON.
        public static func json(_ text: String, statusCode: Int = 200) -> Answer {
            self.text(text, statusCode: statusCode, headers: ["Content-Type": "application/json"])
        }

        /// No answer: the exchange breaks before its head.
        public static func failure(_ error: APITransportError) -> Answer {
            Answer(statusCode: 0, error: error)
        }
    }

    private let received = Recorded<[URLRequest]>([])
    private let answer: @Sendable (URLRequest) async -> Answer

    /// The header fields, in lower case, that carry credentials.
    public let credentialFields: Set<String>

    /// A client that answers with this closure. Its task is cancelled when the exchange is.
    ///
    /// - Parameters:
    ///   - credentialFields: The header fields that carry credentials besides the usual ones.
    ///   - answer: What it answers to a request.
    public init(
        credentialFields: Set<String> = [], _ answer: @escaping @Sendable (URLRequest) async -> Answer
    ) {
        self.credentialFields = RedirectPolicy(credentialFields: credentialFields).credentialFields
        self.answer = answer
    }

    /// The requests that were sent, in order.
    public var requests: [URLRequest] { received.value }

    /// An exchange with the closure.
    public func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        APIStreamTask(eventHandler) { [received, answer] emit in
            var request = request
            switch upload {
            case .data(let body): request.httpBody = body
            case .file(let file):
                do {
                    request.httpBody = try Data(contentsOf: file)
                } catch {
                    return emit(.end(.broken(error)))
                }
            case nil: break
            }
            if let count = request.httpBody?.count, count > 0 {
                progressHandler?(APIProgress(.upload, completed: Int64(count), total: Int64(count)))
            }
            let sent = request
            received.update { $0.append(sent) }
            let answer = await answer(sent)
            if answer.statusCode != 0, let url = request.url,
                let head = HTTPURLResponse(
                    url: url, statusCode: answer.statusCode, httpVersion: "HTTP/1.1",
                    headerFields: answer.headers)
            {
                emit(.head(head))
            }
            for piece in answer.pieces { emit(.piece(piece)) }
            emit(.end(answer.error))
        }
    }
}
