import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How a request sends its body and receives its response.
///
/// The module APITransfers adds `.upload(_:)`, `.multipart(_:)` and `.download(_:)`.
///
/// Source: seeds/5-CSAPIService.md, "业务 APIRequest".
public struct APIRequestTaskType: Sendable {
    /// Sends the encoded parameters and keeps the response in memory.
    public static let request = APIRequestTaskType()

    /// `nil` for ``request``.
    package let transfer: (any APITransfer)?

    /// Creates a type that performs `transfer`.
    package init(_ transfer: (any APITransfer)? = nil) { self.transfer = transfer }
}

/// An exchange whose request or response is not kept in memory as it is.
package protocol APITransfer: Sendable {
    /// Takes the parameters that do not go through the request's encoding, and returns the transfer to perform.
    func taking(
        _ parameters: inout APIParameters?, for request: inout URLRequest
    ) throws -> any APITransfer

    /// Performs one attempt.
    func send(
        _ request: URLRequest, _ client: any APIClient, _ progressHandler: APIProgressHandler?
    ) async throws(APIError) -> APIAnswer
}

/// Returns the destination of a download, given the response's head. Called once, when the file is complete.
public typealias APIDownloadDestination = @Sendable (HTTPURLResponse) -> URL

/// The body of an upload.
public enum APIUpload: Sendable, Hashable {
    /// Bytes in memory.
    case data(Data)
    /// A file, which must not change until it has been sent.
    case file(URL)
}
