import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How a request sends its body and receives its response.
///
/// The module APITransfers adds `.upload(_:)`, `.multipart(_:)` and `.download(_:)`.
///
/// Source: seed 5, "业务 APIRequest".
public struct APIRequestTaskType: Sendable {
    /// Sends the encoded parameters and keeps the response in memory.
    public static let request = APIRequestTaskType()

    /// `nil` for ``request``.
    package let transfer: (any APITransfer)?

    /// Creates a type that performs `transfer`.
    package init(_ transfer: (any APITransfer)? = nil) { self.transfer = transfer }
}

/// An exchange that sends its body or receives its response in a special way, such as an upload, a multipart form or a
/// download.
package protocol APITransfer: Sendable {
    /// Takes the parameters that do not go through the request's encoding, and returns the transfer to perform.
    func taking(
        _ parameters: inout APIParameters?, for request: inout URLRequest
    ) throws -> any APITransfer

    /// The transfer after a redirect that has dropped the body (RFC 9110, 15.4); `nil` for an exchange in memory.
    var withoutBody: (any APITransfer)? { get }

    /// Performs one attempt. `limit` is the maximum size of a response in memory.
    func send(
        _ request: URLRequest, _ client: any APIClient, limit: Int?, _ progressHandler: APIProgressHandler?
    ) async throws(APIError) -> APIAnswer
}
