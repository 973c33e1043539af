import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Watches, and may change, sends at the level of the network: loading indicators, logs, metrics.
///
/// The calls are balanced: after ``willSend(_:targetRequest:)`` come ``willReceive(_:targetRequest:)`` and
/// ``didReceive(_:targetRequest:)``, once each, whether the send succeeds, fails, times out or is cancelled.
/// A send that ends before `willSend` (not built, vetoed, answered by the cache) has none of the three. Plugins
/// are called in the order in which they were passed, every time.
///
/// Calls come from any thread, those of one send one after the other. All methods have a default that does
/// nothing.
///
/// Source: seeds/5-CSAPIService.md, "APIPlugin".
public protocol APIPlugin: Sendable {
    /// The request to send, made from the one there is.
    ///
    /// - Throws: ``APIVeto`` to refuse the request, or whatever keeps it from being built.
    func prepare<T: APIRequest>(_ request: URLRequest, targetRequest: T) throws -> URLRequest

    /// The request goes out. Once a send, however many attempts it takes.
    func willSend<T: APIRequest>(_ request: URLRequest, targetRequest: T)

    /// The answer is there, and is about to be delivered; the request's own interceptor has not seen it.
    func willReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T)

    /// The answer has been delivered, as the request's interceptor left it. In the async form this comes just
    /// before the value is returned.
    func didReceive<T: APIRequest>(_ result: APIResponse<T.Response>, targetRequest: T)
}

extension APIPlugin {
    /// The request as it is.
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
