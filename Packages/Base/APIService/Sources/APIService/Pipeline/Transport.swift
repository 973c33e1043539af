import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The stage that runs one exchange with the client and waits until the exchange ends or is cancelled.
struct Transport: Sendable {
    let client: any APIClient
    let signal: CancelSignal
    let progressHandler: APIProgressHandler?

    func send(_ request: URLRequest, _ taskType: APIRequestTaskType) async throws(APIError) -> RawAnswer {
        switch taskType {
        case .request: try await data(request)
        case .download(let download): try await self.download(request, download)
        case .upload(let upload): try await self.upload(request, upload)
        case .multipart(let form): try await self.multipart(request, form)
        }
    }

    private func data(_ request: URLRequest) async throws(APIError) -> RawAnswer {
        try await answer(request) { handler in
            client.createDataRequest(
                request: request, progressHandler: progressHandler, completionHandler: handler)
        }
    }

    private func upload(_ request: URLRequest, _ upload: APIUpload) async throws(APIError) -> RawAnswer {
        guard let client = client as? any APIStreamingClient else {
            guard case .data(let body) = upload else {
                throw .requestError(
                    .unsupported("\(type(of: client)) cannot upload files, because it cannot stream"))
            }
            var request = request
            request.httpBody = body
            return try await data(request)
        }
        return try await answer(request) { handler in
            let collector = StreamCollector(progressHandler: nil, completionHandler: handler)
            return client.createStreamRequest(
                request: request, upload: upload, progressHandler: progressHandler,
                eventHandler: { collector.take($0) })
        }
    }

    private func multipart(_ request: URLRequest, _ form: APIMultipartForm) async throws(APIError)
        -> RawAnswer
    {
        let upload: APIUpload
        do {
            upload = try form.encoded()
        } catch {
            throw APIError(building: error)
        }
        defer { form.discard(upload) }
        return try await self.upload(request, upload)
    }

    private func answer(
        _ request: URLRequest, _ create: (@escaping APIDataResponseCompletionHandler) -> any APIRequestTask
    ) async throws(APIError) -> RawAnswer {
        let end: APIDataResponse = try await signal.wait { answer in
            let task = create(answer)
            task.resume()
            return { task.cancel() }
        }
        let body = try Self.value(end.result)
        return RawAnswer(request: request, response: try Self.head(end.response), body: body)
    }

    private func download(_ request: URLRequest, _ download: APIDownload) async throws(APIError) -> RawAnswer
    {
        let end: APIDownloadResponse = try await signal.wait { answer in
            let task: any APIRequestTask
            if let partial = download.partial, let client = client as? any APIStreamingClient {
                task = FileDownload(
                    request, partial: partial, destination: download.destination, progressHandler, answer
                ).task(client)
            } else {
                task = client.createDownloadRequest(
                    request: request, to: download.destination, progressHandler: progressHandler,
                    completionHandler: answer)
            }
            task.resume()
            return { task.cancel() }
        }
        let response = try Self.head(end.response)
        switch try Self.value(end.result) {
        case .data(let body): return RawAnswer(request: request, response: response, body: body)
        case .file(let file): return RawAnswer(request: request, response: response, body: Data(), file: file)
        }
    }

    private static func value<T>(_ result: Result<T, APITransportError>) throws(APIError) -> T {
        switch result {
        case .success(let value): return value
        case .failure(.unreachable): throw .networkError
        case .failure(.broken(let error)): throw .connectionError(error)
        case .failure(.cancelled): throw .cancelled
        }
    }

    private static func head(_ response: HTTPURLResponse?) throws(APIError) -> HTTPURLResponse {
        guard let response else { throw .connectionError(APITransportError.broken(NoHead())) }
        return response
    }

    /// The client delivered a body without a head.
    struct NoHead: Error {}
}
