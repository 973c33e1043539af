import APIService
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client that writes down what another one does, and later does the same without a network.
///
/// ```swift
/// let recorder = ReplayAPIClient(recording: URLSessionAPIClient())
/// // … send …
/// try recorder.save(to: file)
/// let client = try ReplayAPIClient(replaying: file)
/// ```
///
/// A request is known again by its method, its URL and its body. Equal requests get their answers in the order in
/// which they were recorded, the last again and again. One that was not recorded breaks with ``NotRecorded``.
///
/// - Warning: Only header fields are kept out of the file: a request's are not written down, and in an answer's that
///   carry credentials, Set-Cookie and the client's ``credentialFields``, stands `redacted`. The URL, with its user
///   info and its query, and the bodies of request and answer are in the file as they were, with what is secret in
///   them: a password that is sent, a token that is answered.
///
/// All operations are safe from every thread.
public final class ReplayAPIClient: APIStreamingClient {
    /// A request that was not recorded.
    public struct NotRecorded: Error, CustomStringConvertible {
        /// Its method and URL.
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

    /// Those of the client that is recorded; when replaying, Authorization, Cookie and Proxy-Authorization alone.
    public let credentialFields: Set<String>

    /// A client that sends with `client` and writes down what comes.
    public init(recording client: any APIStreamingClient) {
        self.client = client
        credentialFields = client.credentialFields
        answers = Recorded([])
    }

    /// A client that answers as ``save(to:)`` has written down.
    ///
    /// - Throws: What reading or decoding the file throws.
    public init(replaying file: URL) throws {
        client = nil
        credentialFields = RedirectPolicy().credentialFields
        answers = Recorded(try JSONDecoder().decode([Answer].self, from: Data(contentsOf: file)))
    }

    /// Writes what was recorded to a file, as JSON.
    ///
    /// - Throws: What writing throws.
    public func save(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(answers.value).write(to: file, options: .atomic)
    }

    /// An exchange that is recorded, or replayed.
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
        case nil: name += request.httpBody.map { " \($0.base64EncodedString())" } ?? ""
        }
        return name
    }
}
