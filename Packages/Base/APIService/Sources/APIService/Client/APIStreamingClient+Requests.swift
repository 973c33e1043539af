import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension APIStreamingClient {
    /// Collects what is streamed.
    public func createDataRequest(
        request: URLRequest, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) -> any APIRequestTask {
        let collector = StreamCollector(
            progressHandler: progressHandler, completionHandler: completionHandler)
        return createStreamRequest(
            request: request, upload: nil, progressHandler: nil, eventHandler: { collector.take($0) })
    }

    /// Writes what is streamed to a file, as it comes: a download takes no more memory than a piece.
    public func createDownloadRequest(
        request: URLRequest, to: @escaping APIDownloadDestination, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDownloadResponseCompletionHandler
    ) -> any APIRequestTask {
        FileDownload(request, partial: nil, destination: to, progressHandler, completionHandler).task(self)
    }
}
