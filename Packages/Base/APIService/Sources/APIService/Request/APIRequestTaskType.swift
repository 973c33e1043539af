import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How a request sends its body and receives its response.
public enum APIRequestTaskType: Sendable {
    /// Sends the encoded parameters and keeps the response in memory.
    case request
    /// Writes the response to a file.
    case download(APIDownload)
    /// Sends a body from memory or from a file. The parameters go into the query.
    case upload(APIUpload)
    /// Sends a multipart form. The parameters become its first fields.
    case multipart(APIMultipartForm)
}

/// Returns the destination of a download, given the response's head. Called once, when the file is complete.
public typealias APIDownloadDestination = @Sendable (HTTPURLResponse) -> URL

/// A download to a file.
public struct APIDownload: Sendable {
    /// Returns the destination. An existing file is replaced atomically.
    public var destination: APIDownloadDestination

    /// The file that keeps the data of a broken download, which the next attempt resumes; `nil` means that
    /// every attempt starts from the beginning. A `.resume` file next to it contains the server's validator.
    public var partial: URL?

    /// Creates a download to this file.
    public init(to file: URL, partial: URL? = nil) {
        self.init(partial: partial) { _ in file }
    }

    /// Creates a download to a file that depends on the response's head.
    public init(partial: URL? = nil, destination: @escaping APIDownloadDestination) {
        (self.partial, self.destination) = (partial, destination)
    }
}

/// The body of an upload.
public enum APIUpload: Sendable, Hashable {
    /// Bytes in memory.
    case data(Data)
    /// A file, which must not change until it has been sent.
    case file(URL)
}
