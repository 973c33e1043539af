import APIService
import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client that records the exchanges of another client, and later replays them without a network.
///
/// ```swift
/// let recorder = ReplayAPIClient(recording: URLSessionAPIClient())
/// // … send requests …
/// try recorder.save(to: file)
/// let client = try ReplayAPIClient(replaying: file)
/// ```
///
/// Requests are identified by method, URL and body (an uploaded file by its name). Equal requests get their
/// responses in the order they were recorded; the last response is repeated. A request that was not
/// recorded fails with ``NotRecorded``.
///
/// - Warning: A recording protects only header fields. It omits the header fields of requests, and replaces the values
///   of Set-Cookie and of the client's ``credentialFields`` in responses with `redacted`. URLs, including their user
///   information and query, and the bodies of requests and responses are recorded unchanged, including all secrets: for
///   example, a password that a request sends or a token that a response returns.
///
/// All operations are thread-safe.
public final class ReplayAPIClient: APIStreamingClient {
    /// A request that was not recorded.
    public struct NotRecorded: Error, CustomStringConvertible {
        /// The request's method, URL and body, or the recorded failure.
        public let description: String
    }

    private struct Answer: Codable, Sendable {
        var request: String
        var statusCode: Int
        var fields: [String: String]
        var body: Data
        var failure: String?
    }

    private let client: (any APIStreamingClient)?
    private let answers: Recorded<[Answer]>
    private let used = Recorded<[String: Int]>([:])

    /// The credential fields of the recorded client. A replaying client has only the three standard fields:
    /// Authorization, Cookie and Proxy-Authorization.
    public let credentialFields: Set<String>

    /// Creates a client that sends with `client` and records the exchanges.
    public init(recording client: any APIStreamingClient) {
        self.client = client
        credentialFields = client.credentialFields
        answers = Recorded([])
    }

    /// Creates a client that replays a recording written by ``save(to:)``.
    ///
    /// - Throws: An error from reading or decoding the file.
    public init(replaying file: URL) throws {
        client = nil
        credentialFields = RedirectPolicy().credentialFields
        answers = Recorded(try JSONDecoder().decode([Answer].self, from: Data(contentsOf: file)))
    }

    /// Writes the recording to a file, as JSON.
    ///
    /// - Throws: An error from writing the file.
    public func save(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(answers.value).write(to: file, options: .atomic)
    }

    /// Creates an exchange that is recorded or replayed.
    public func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        let name = Self.name(request, upload)
        guard let client else {
            return APIStreamTask(eventHandler) { emit in self.replay(name, request, emit) }
        }
        let answer = Recorded(Answer(request: name, statusCode: 0, fields: [:], body: Data()))
        let answers = answers
        let secrets = credentialFields.union(["set-cookie"])
        return client.createStreamRequest(
            request: request, upload: upload, progressHandler: progressHandler
        ) { event in
            switch event {
            case .head(let head):
                answer.update { answer in
                    answer.statusCode = head.statusCode
                    for (name, value) in head.allHeaderFields {
                        if let name = name as? String, let value = value as? String {
                            answer.fields[name] = secrets.contains(name.lowercased()) ? "redacted" : value
                        }
                    }
                }
            case .piece(let piece): answer.update { $0.body += piece }
            case .end(.cancelled): break
            case .end(let error):
                answer.update { $0.failure = error.map { "\($0)" } }
                answers.update { $0.append(answer.value) }
            }
            eventHandler(event)
        }
    }

    private func replay(_ name: String, _ request: URLRequest, _ emit: APIStreamTask.Emit) {
        let matching = answers.value.filter { $0.request == name }
        let index = used.update { used in
            defer { used[name, default: 0] += 1 }
            return used[name, default: 0]
        }
        guard !matching.isEmpty, let url = request.url else {
            return emit(.end(.broken(NotRecorded(description: name))))
        }
        let answer = matching[min(index, matching.count - 1)]
        if answer.statusCode != 0,
            let head = HTTPURLResponse(
                url: url, statusCode: answer.statusCode, httpVersion: "HTTP/1.1", headerFields: answer.fields)
        {
            emit(.head(head))
        }
        if !answer.body.isEmpty { emit(.piece(answer.body)) }
        emit(.end(answer.failure.map { .broken(NotRecorded(description: $0)) }))
    }

    private static func name(_ request: URLRequest, _ upload: APIUpload?) -> String {
        var name = "\(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "")"
        switch upload {
        case .data(let data): name += " \(data.base64EncodedString())"
        case .file(let file): name += " \(file.lastPathComponent)"
        case .pieces(let length, _): name += length.map { " \($0) bytes" } ?? " a stream"
        case nil: name += request.httpBody.map { " \($0.base64EncodedString())" } ?? ""
        }
        return name
    }
}
