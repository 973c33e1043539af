import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension APIStreamingClient {
    /// Collects the streamed response in memory.
    public func createDataRequest(
        request: URLRequest, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDataResponseCompletionHandler
    ) -> any APIRequestTask {
        let collector = StreamCollector(
            progressHandler: progressHandler, completionHandler: completionHandler)
        return createStreamRequest(
            request: request, upload: nil, progressHandler: nil, eventHandler: { collector.take($0) })
    }

    /// Writes the streamed response to a file as it arrives, so that a download needs no more memory than one
    /// piece.
    public func createDownloadRequest(
        request: URLRequest, to: @escaping APIDownloadDestination, progressHandler: APIProgressHandler?,
        completionHandler: @escaping APIDownloadResponseCompletionHandler
    ) -> any APIRequestTask {
        FileDownload(request, partial: nil, destination: to, progressHandler, completionHandler).task(self)
    }
}
