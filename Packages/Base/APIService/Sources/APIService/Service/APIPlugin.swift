import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Observes, and may change, requests at the network level: for loading indicators, logs and metrics.
///
/// The calls are balanced: each ``willSend(_:targetRequest:)`` is followed by exactly one
/// ``willReceive(_:targetRequest:)`` and one ``didReceive(_:targetRequest:)``, whether the request succeeds,
/// fails, times out or is cancelled. A request that ends before `willSend`, because it could not be built,
/// was vetoed or was answered from the cache, triggers none of the three. Plugins are always called in the
/// order in which they were passed.
///
/// The methods are called on any thread; the calls for one request never overlap. All methods have a default
/// implementation that does nothing.
///
/// Source: seeds/5-CSAPIService.md, "APIPlugin".
public protocol APIPlugin: Sendable {
    /// Returns the request to send, based on `request`.
    ///
    /// - Throws: ``APIVeto`` to refuse the request, or any other error that prevents building it.
    func prepare<T: APIRequest>(_ request: URLRequest, targetRequest: T) throws -> URLRequest

    /// Called once before the request is sent, however many attempts it takes.
    func willSend<T: APIRequest>(_ request: URLRequest, targetRequest: T)

    /// Called before the response is delivered, and before the request's own interceptor sees it.
    func willReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T)

    /// Called after the response has been delivered, with the response that the request's interceptor
    /// returned. The async methods call it just before they return.
    func didReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T)
}

extension APIPlugin {
    /// Returns the request unchanged.
    public func prepare<T: APIRequest>(_ request: URLRequest, targetRequest: T) throws -> URLRequest {
        request
    }
    /// Does nothing.
    public func willSend<T: APIRequest>(_ request: URLRequest, targetRequest: T) {}
    /// Does nothing.
    public func willReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T) {}
    /// Does nothing.
    public func didReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T) {}
}
