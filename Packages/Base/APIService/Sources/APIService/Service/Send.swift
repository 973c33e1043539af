import APITransport
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request, from the call to its response: the stages on the caller's side. The links are in ``Call``.
///
/// Source: seeds/5-CSAPIService.md, "框架组成".
final class Send<T: APIRequest>: Call.Typed {
    typealias Response = APIResponse<T.Response>

    let request: T
    let service: APIService
    let settings: APISettings
    let signal = CancelSignal()
    let journal: Journal
    let progressHandler: APIProgressHandler?
    private let plugins: [any APIPlugin]
    private let encoding: (any APIParameterEncoding)?
    private let cacheHandler: APICompletionHandler<T.Response>?
    private let departure = Departure()

    /// Prepares a request, with the service's current settings.
    init(
        _ request: T, plugins: [any APIPlugin], encoding: (any APIParameterEncoding)?, service: APIService,
        progressHandler: APIProgressHandler?, cacheHandler: APICompletionHandler<T.Response>?
    ) {
        (self.request, self.plugins, self.encoding, self.service) = (request, plugins, encoding, service)
        settings = service.config.settings
        journal = Journal(clock: settings.clock)
        (self.progressHandler, self.cacheHandler) = (progressHandler, cacheHandler)
    }

    /// The time limit.
    var limit: Duration? { request.timeout ?? settings.timeout }

    /// How the response is cached, which a plugin may change.
    var cachePolicy: APICache? {
        plugins.isEmpty ? request.cache : cachePlugins.first { $0.cache != nil }?.cache ?? request.cache
    }

    private var cachePlugins: [CachePlugin<T>] { plugins.compactMap { $0 as? CachePlugin<T> } }

    /// Builds the request to send, on the caller's actor: parameters, encoding, request interceptor and the
    /// plugins' `prepare`.
    func build() -> Result<Call, APIError> {
        do {
            try signal.check()
            let builder = RequestBuilder(
                request: request, plugins: plugins, encoding: encoding, encoder: settings.encoder,
                journal: journal)
            return .success(Call(self, try builder.build()))
        } catch {
            return .failure(error)
        }
    }

    /// Sends the built request, calls `deliver` exactly once and returns the delivered response.
    @discardableResult
    nonisolated(nonsending) func run(
        _ call: Result<Call, APIError>,
        deliver: nonisolated(nonsending) (Response) async -> Void = { _ in }
    ) async -> Response {
        // A separate task and timer would take longer than the rest of a small request.
        let deadlines =
            settings.clock is ContinuousClock ? service.deadlines : Deadlines(clock: settings.clock)
        let id = limit.map { deadlines.add(signal, after: $0) }
        defer { if let id { deadlines.remove(id) } }
        var response = await response(to: call)
        let wasSent = departure.close()
        response.explanation = journal.explanation
        if wasSent {
            journal.note(.willReceive)
            for plugin in plugins { plugin.willReceive(response, targetRequest: request) }
        }
        response = await intercepted(response)
        journal.note(.delivery)
        if wasSent { journal.note(.didReceive) }
        response.explanation = journal.explanation
        await deliver(response)
        if wasSent {
            for plugin in plugins { plugin.didReceive(response, targetRequest: request) }
        }
        return response
    }

    private nonisolated(nonsending) func response(to call: Result<Call, APIError>) async -> Response {
        do throws(APIError) {
            let call = try call.get()
            do throws(APIError) {
                return response(try await call.answer())
            } catch {
                return Response(request: call.urlRequest, result: .failure(error))
            }
        } catch {
            return Response(result: .failure(error))
        }
    }

    private func response(_ answer: APIAnswer) -> Response {
        let result: APIResult<T.Response>
        do throws(APIError) {
            guard let value = try answer.value?.get() as? T.Response else {
                preconditionFailure("\(T.Response.self).parse returned a value of another type.")
            }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        return Response(
            request: answer.request, response: answer.response, data: answer.file == nil ? answer.body : nil,
            result: result, source: answer.source)
    }

    /// Calls the response interceptor. A request that was ended early skips the interceptor, and a request
    /// that is ended while the interceptor runs does not wait for the interceptor to finish.
    private nonisolated(nonsending) func intercepted(_ response: Response) async -> Response {
        do {
            return try await signal.wait { answer in
                journal.note(.responseInterceptor)
                request.intercept(request: request, response: response, replaceResponseHandler: answer)
                return {}
            }
        } catch {
            var response = response
            (response.result, response.source) = (.failure(error), .network)
            return response
        }
    }

    // MARK: For the links

    func parse(_ body: Data) throws(APIError) -> any Sendable {
        do {
            return try APIDecoder.$current.withValue(settings.decoder) { try T.Response.parse(data: body) }
        } catch {
            throw APIError(parsing: error)
        }
    }

    func depart(_ urlRequest: URLRequest) throws {
        let departs = departure.open {
            journal.note(.willSend)
            for plugin in plugins { plugin.willSend(urlRequest, targetRequest: request) }
        }
        guard departs else { throw CancellationError() }
    }

    func report(_ result: Result<APIAnswer, APICacheError>, of urlRequest: URLRequest) {
        guard cacheHandler != nil || !plugins.isEmpty, signal.reason == nil else { return }
        var response =
            switch result {
            case .success(let answer): response(answer)
            case .failure(let error):
                Response(request: urlRequest, result: .failure(.cacheError(error)), source: .cache)
            }
        response.explanation = journal.explanation
        cacheHandler?(response)
        for plugin in cachePlugins { plugin.cacheHandler?(response) }
    }
}

/// Records whether a request has been sent to the network. A request that has ended can no longer be sent, so each
/// `willSend` is followed by a `didReceive`.
private final class Departure: Sendable {
    private enum State { case waiting, departed, closed }
    private let state = Locked(State.waiting)

    /// Calls `announce` on the first call, unless the request has ended. Returns false if the request has ended.
    func open(_ announce: () -> Void) -> Bool {
        state.withLock { state in
            guard state == .waiting else { return state == .departed }
            state = .departed
            announce()
            return true
        }
    }

    /// Ends the request. Returns whether it was sent.
    func close() -> Bool {
        state.withLock { state in
            defer { state = .closed }
            return state == .departed
        }
    }
}
