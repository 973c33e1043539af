import APIService
import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A download to a file.
public struct APIDownload: Sendable {
    /// Returns the destination. An existing file is replaced atomically.
    public var destination: APIDownloadDestination

    /// The file that keeps the data of a broken download, which the next attempt resumes; `nil` means that every
    /// attempt starts from the beginning. A `.resume` file next to this file contains the server's validator.
    public var partial: URL?

    /// The maximum size of the file in bytes; `nil` for no limit. A larger file is refused as
    /// `APIResponseError.tooLarge(_:url:)`, and its partial file is removed. A client that cannot stream ignores the limit.
    public var limit: Int?

    /// Creates a download to this file.
    public init(to file: URL, partial: URL? = nil, limit: Int? = nil) {
        self.init(partial: partial, limit: limit) { _ in file }
    }

    /// Creates a download to a file that depends on the response's head.
    public init(partial: URL? = nil, limit: Int? = nil, destination: @escaping APIDownloadDestination) {
        (self.partial, self.limit, self.destination) = (partial, limit, destination)
    }
}

extension APIDownload: APITransfer {
    package func taking(
        _ parameters: inout APIParameters?, for request: inout URLRequest
    ) throws -> any APITransfer { self }

    package var withoutBody: (any APITransfer)? { self }

    package func send(
        _ request: URLRequest, _ client: any APIClient, limit: Int?, _ progressHandler: APIProgressHandler?
    ) async throws(APIError) -> APIAnswer {
        let end: APIDownloadResponse = await client.exchange { handler in
            guard let client = client as? any APIStreamingClient else {
                return client.createDownloadRequest(
                    request: request, to: destination, progressHandler: progressHandler,
                    completionHandler: handler)
            }
            var sent = request
            let file = partial.map { PartialFile($0, for: &sent) }
            return FileDownload(
                to: destination, file: file ?? TemporaryFile(for: &sent), limit: limit,
                fileLimit: self.limit, progressHandler, handler
            ).task(client, sent)
        }
        let body = try end.result.value
        guard let response = end.response else { throw .connectionError(MissingHead()) }
        switch body {
        case .data(let body):
            if let limit, body.count > limit { throw .responseError(.tooLarge(limit)) }
            return APIAnswer(request: request, response: response, body: body)
        case .file(let file):
            return APIAnswer(request: request, response: response, body: Data(), file: file)
        }
    }
}

/// A downloaded file.
public struct APIDownloadedFile: APIParsable, Hashable {
    /// The location of the file.
    public let url: URL

    /// Returns the file at the path in `data`.
    public static func parse(data: Data) throws -> Self {
        Self(url: URL(fileURLWithPath: String(decoding: data, as: UTF8.self)))
    }
}
