import APIServiceTesting
import Foundation

@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct LostAnswer: Error {}

/// What a client does wrong: it changes what another client sends or reports.
struct Fault: Sendable {
    /// The path of the only requests that it concerns; `nil` for all requests.
    var path: String?
    var send: @Sendable (inout URLRequest) -> Void = { _ in }
    /// How many times a request is sent.
    var times = 1
    var upload: @Sendable (APIUpload) -> APIUpload? = { $0 }
    /// Whether the client ignores the rules for the redirects of a POST.
    var ignoresRules = false
    var status: @Sendable (Int, URLRequest) -> Int = { status, _ in status }
    /// The field that the client loses from the heads of responses.
    var lostField = ""
    /// Changes a body, which may be empty.
    var body: @Sendable (Data) -> Data = { $0 }
    var end: @Sendable (APITransportError?) -> APITransportError? = { $0 }
    var progress: @Sendable (APIProgress) -> APIProgress = { $0 }

    static let hiddenErrors = Fault(end: { _ in nil })
    static let extraByte = Fault.appended("!")
    static let otherBytes = Fault(body: { Data(repeating: 0x78, count: $0.count) })
    static let otherError = Fault(end: { _ in .cancelled })
    static let noBody = Fault(body: { _ in Data() })
    static let otherStatus = Fault(status: { status, _ in status + 1 })

    /// This fault, in the responses to requests with one path alone.
    func only(_ path: String) -> Fault {
        var fault = self
        fault.path = path
        return fault
    }

    static func lost(_ field: String) -> Fault {
        Fault(send: { $0.setValue(nil, forHTTPHeaderField: field) })
    }
    static func appended(_ text: String) -> Fault { Fault(body: { $0 + Data(text.utf8) }) }
    static func method(_ name: String) -> Fault { Fault(send: { $0.httpMethod = name }) }
}

struct FaultyClient: APIStreamingClient {
    var inner = URLSessionAPIClient()
    let fault: Fault

    var credentialFields: Set<String> { inner.credentialFields }

    func createDataRequest(
        request: URLRequest, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) -> any APIRequestTask {
        let collector = StreamCollector(
            limit: nil, progressHandler: changed(progressHandler),
            completionHandler: completionHandler)
        return createStreamRequest(
            request: request, upload: nil, progressHandler: nil, eventHandler: { collector.take($0) })
    }

    func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        APIStreamTask(eventHandler) { emit in await run(request, upload, progressHandler, emit) }
    }

    private func run(
        _ request: URLRequest, _ upload: APIUpload?, _ progressHandler: APIProgressHandler?,
        _ emit: APIStreamTask.Emit
    ) async {
        let isConcerned = fault.path == nil || fault.path == request.url?.path()
        let fault = isConcerned ? fault : Fault()
        var request = request
        fault.send(&request)
        let isFree = fault.ignoresRules && request.httpMethod == "POST"
        let answer = await RedirectRules.$current.withValue(isFree ? nil : RedirectRules.current) {
            [request] in
            for _ in 1..<fault.times { _ = await inner.collected(request, limit: nil, nil) }
            return await inner.collected(
                request, upload: upload.flatMap(fault.upload), limit: nil, changed(progressHandler))
        }
        if let head = answer.response, let changed = fault.changed(head, of: request) { emit(.head(changed)) }
        var (body, error) = (Data(), APITransportError?.none)
        switch answer.result {
        case .success(let whole): body = whole
        case .failure(let failure): error = failure
        }
        body = fault.body(body)
        if !body.isEmpty { emit(.piece(body)) }
        emit(.end(fault.end(error)))
    }

    private func changed(_ progressHandler: APIProgressHandler?) -> APIProgressHandler? {
        guard let progressHandler else { return nil }
        return { progressHandler(fault.progress($0)) }
    }

}

extension Fault {
    /// Returns the head that the client reports.
    func changed(_ head: HTTPURLResponse, of request: URLRequest) -> HTTPURLResponse? {
        let fields = head.allHeaderFields as? [String: String] ?? [:]
        return head.url.flatMap {
            HTTPURLResponse(
                url: $0, statusCode: status(head.statusCode, request), httpVersion: nil,
                headerFields: fields.filter { $0.key.lowercased() != lostField })
        }
    }
}
