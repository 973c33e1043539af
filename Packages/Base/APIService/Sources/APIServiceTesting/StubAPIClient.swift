import APIService
import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client whose responses come from a closure instead of the network.
///
/// ```swift
/// let client = StubAPIClient { request in .json(#"{"id": 1}"#) }
/// let service = APIService(client: client, config: APIConfig())
/// ```
///
/// The stub conforms to `APIStreamingClient`, so that downloads, uploads and streams can be stubbed too. The closure
/// finds the body of an upload in the request's `httpBody`.
///
/// All operations are thread-safe.
public final class StubAPIClient: APIStreamingClient {
    /// The response of a stub.
    public struct Answer: Sendable {
        /// The status code.
        public var statusCode: Int
        /// The header fields.
        public var headers: [String: String]
        /// The body, in pieces.
        public var pieces: [Data]
        /// The error that ends the exchange after the pieces; `nil` for a complete response.
        public var error: APITransportError?

        /// Creates a response.
        public init(
            statusCode: Int = 200, headers: [String: String] = [:], pieces: [Data] = [],
            error: APITransportError? = nil
        ) {
            (self.statusCode, self.headers, self.pieces, self.error) = (statusCode, headers, pieces, error)
        }

        /// Returns a response with this text as its body.
        public static func text(
            _ text: String, statusCode: Int = 200, headers: [String: String] = [:]
        ) -> Answer {
            Answer(statusCode: statusCode, headers: headers, pieces: text.isEmpty ? [] : [Data(text.utf8)])
        }

        /// Returns a response with this JSON as its body.
        public static func json(_ text: String, statusCode: Int = 200) -> Answer {
            self.text(text, statusCode: statusCode, headers: ["Content-Type": "application/json"])
        }

        /// Returns a failure: the exchange breaks before the head of a response.
        public static func failure(_ error: APITransportError) -> Answer {
            Answer(statusCode: 0, error: error)
        }
    }

    private let received = Recorded<[URLRequest]>([])
    private let answer: @Sendable (URLRequest) async -> Answer

    /// The header fields, in lower case, that carry credentials.
    public let credentialFields: Set<String>

    /// Creates a client whose responses come from a closure. Cancelling an exchange cancels the closure's
    /// task.
    ///
    /// - Parameters:
    ///   - credentialFields: Additional header fields that carry credentials.
    ///   - answer: Returns the response to a request.
    public init(
        credentialFields: Set<String> = [], _ answer: @escaping @Sendable (URLRequest) async -> Answer
    ) {
        self.credentialFields = RedirectPolicy(credentialFields: credentialFields).credentialFields
        self.answer = answer
    }

    /// The requests that were sent, in order.
    public var requests: [URLRequest] { received.value }

    /// Creates an exchange whose response comes from the closure.
    public func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        APIStreamTask(eventHandler) { [received, answer] emit in
            var request = request
            if let upload {
                var body = Data()
                do {
                    for try await piece in upload.pieces() { body += piece }
                } catch {
                    return emit(.end(.local(error)))
                }
                request.httpBody = body
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
