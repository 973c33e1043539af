import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a request does with its body and its answer.
public enum APIRequestTaskType: Sendable {
    /// Sends the encoded parameters; the answer is kept in memory.
    case request
    /// The answer goes to a file.
    case download(APIDownload)
    /// The body comes from memory or from a file. Parameters must then go into the query.
    case upload(APIUpload)
    /// The body is a form of parts; the parameters are its first fields.
    case multipart(APIMultipartForm)
}

/// Where a download goes, given the answer's head. Called once, when the whole file has come.
public typealias APIDownloadDestination = @Sendable (HTTPURLResponse) -> URL

/// A download to a file.
public struct APIDownload: Sendable {
    /// Where the file goes. What stands there is replaced, at one stroke.
    public var destination: APIDownloadDestination

    /// A file that keeps what has come when a download breaks, and from which the next attempt goes on; nil:
    /// each attempt starts afresh. Beside it stands a `.resume` file with the server's validator.
    public var partial: URL?

    /// A download to this file.
    public init(to file: URL, partial: URL? = nil) {
        self.init(partial: partial) { _ in file }
    }

    /// A download to a file that depends on the answer's head.
    public init(partial: URL? = nil, destination: @escaping APIDownloadDestination) {
        (self.partial, self.destination) = (partial, destination)
    }
}

/// The body of an upload.
public enum APIUpload: Sendable, Hashable {
    /// Bytes in memory.
    case data(Data)
    /// A file, which is read while it is sent and must stay as it is until then.
    case file(URL)
}
