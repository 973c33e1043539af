import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Records each request with its status and its duration, and passes it on. Neither the header fields, nor the query, nor the
/// bodies are recorded, because they contain tokens and passwords.
struct RecordingClient: APIStreamingClient {
    let client: any APIStreamingClient
    let diary: Diary

    var credentialFields: Set<String> { client.credentialFields }

    func createDataRequest(
        request: URLRequest, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) -> any APIRequestTask {
        let call = RecordedRequest(request, diary)
        return client.createDataRequest(request: request, progressHandler: progressHandler) { answer in
            call.end(answer.response, answer.result.failure)
            completionHandler(answer)
        }
    }

    func createDownloadRequest(
        request: URLRequest, to destination: @escaping APIDownloadDestination,
        progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDownloadResponseCompletionHandler
    ) -> any APIRequestTask {
        let call = RecordedRequest(request, diary)
        return client.createDownloadRequest(
            request: request, to: destination, progressHandler: progressHandler
        ) { answer in
            call.end(answer.response, answer.result.failure)
            completionHandler(answer)
        }
    }

    func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        let call = RecordedRequest(request, diary)
        return client.createStreamRequest(
            request: request, upload: upload, progressHandler: progressHandler
        ) { event in
            switch event {
            case .head(let response): call.begin(response)
            case .end(let error): call.end(nil, error)
            case .piece: break
            }
            eventHandler(event)
        }
    }
}

/// A request in the record.
private struct RecordedRequest: Sendable {
    private let diary: Diary
    private let position: Diary.Position?
    private let began = ContinuousClock.now

    init(_ request: URLRequest, _ diary: Diary) {
        self.diary = diary
        let name = "\(request.httpMethod ?? "GET") \(request.url?.path(percentEncoded: true) ?? "")"
        position = diary.note(
            ModuleCall(way: .request, caller: Diary.module, callee: ModuleCall.server, name: name))
    }

    /// Records the status of a stream, which goes on.
    func begin(_ response: HTTPURLResponse) {
        guard let position else { return }
        diary.change(position) { $0.set(status: response.statusCode) }
    }

    func end(_ response: HTTPURLResponse?, _ error: APITransportError?) {
        guard let position else { return }
        let duration = ContinuousClock.now - began
        diary.change(position) { call in
            if let response { call.set(status: response.statusCode) }
            if let error { call.error = RecordedText.of(error: error) }
            call.seconds = duration / .seconds(1)
        }
    }
}

extension ModuleCall {
    fileprivate mutating func set(status: Int) {
        if status < 400 { value = "\(status)" } else { error = "status \(status)" }
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
