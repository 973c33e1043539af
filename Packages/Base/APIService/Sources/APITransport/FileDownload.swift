import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes a streamed response to a file, and moves the complete file to its destination. A response whose status is not
/// 200 to 299 is kept in memory.
///
/// All operations are thread-safe. The events arrive one at a time.
package final class FileDownload: Sendable {
    private let state: Locked<StreamedBody>
    private let destination: APIDownloadDestination
    private let file: any IncompleteFile
    private let progressHandler: APIProgressHandler?
    private let completionHandler: APIDownloadResponseCompletionHandler

    /// - Parameters:
    ///   - file: The file that receives the body.
    ///   - limit: The maximum size of a body that is kept in memory.
    ///   - fileLimit: The maximum size of the file.
    package init(
        to destination: @escaping APIDownloadDestination, file: any IncompleteFile,
        limit: Int? = nil, fileLimit: Int? = nil, _ progressHandler: APIProgressHandler?,
        _ completionHandler: @escaping APIDownloadResponseCompletionHandler
    ) {
        state = Locked(StreamedBody(limit: limit, fileLimit: fileLimit))
        (self.destination, self.file) = (destination, file)
        (self.progressHandler, self.completionHandler) = (progressHandler, completionHandler)
    }

    /// Creates the exchange with `client`.
    package func task(_ client: any APIStreamingClient, _ request: URLRequest) -> any APIRequestTask {
        Exchange(
            download: self,
            task: client.createStreamRequest(
                request: request, upload: nil, progressHandler: nil, eventHandler: { self.take($0) }))
    }

    /// The exchange of a download, which the download can cancel once it has started.
    private struct Exchange: APIRequestTask {
        let download: FileDownload
        let task: any APIRequestTask

        func resume() {
            download.state.withLock { $0.start(task) }
            task.resume()
        }

        func cancel() { task.cancel() }
    }

    private func take(_ event: APIStreamEvent) {
        switch event {
        case .head(let head):
            state.withLock { body in
                open(head, &body)
                return body.unneeded
            }?.cancel()
        case .piece(let piece):
            let (progress, unneeded) = state.withLock { (write(piece, &$0), $0.unneeded) }
            unneeded?.cancel()
            if let progress { progressHandler?(progress) }
        case .end(let error):
            completionHandler(
                state.withLock { body in
                    APIDownloadResponse(response: body.head, result: finish(error, &body))
                })
        }
    }

    private func open(_ head: HTTPURLResponse, _ body: inout StreamedBody) {
        body.head = head
        guard (200..<300).contains(head.statusCode) else { return }
        do {
            let handle = try file.open(for: head)
            body.handle = handle
            body.offset = Int64(clamping: try handle.seekToEnd())
            try body.checkFile(adding: head.expectedLength ?? 0)
        } catch {
            body.failure = error
        }
    }

    private func write(_ piece: Data, _ body: inout StreamedBody) -> APIProgress? {
        guard body.write(piece) else { return nil }
        let length = body.expectedLength(beyond: body.written)
        // A server can send any length, even one whose end is beyond the largest number.
        let total = length.map { body.offset.addingReportingOverflow($0) }
        return APIProgress(
            .download, completed: body.offset + body.written,
            total: total.flatMap { $0.overflow ? nil : $0.partialValue })
    }

    private func finish(
        _ error: APITransportError?, _ body: inout StreamedBody
    ) -> Result<APIDownloadResponse.Body, APITransportError> {
        let handle = body.handle
        body.handle = nil
        body.end()
        do { try handle?.close() } catch { body.failure = body.failure ?? error }
        let result = result(error, &body, isFile: handle != nil)
        file.end(body, wasOpen: handle != nil, result)
        return result
    }

    private func result(
        _ error: APITransportError?, _ body: inout StreamedBody, isFile: Bool
    ) -> Result<APIDownloadResponse.Body, APITransportError> {
        if let error = body.error(after: error) { return .failure(error) }
        guard let head = body.head else { return .failure(.broken(MissingHead())) }
        guard isFile else { return .success(.data(body.other)) }
        do {
            try file.check(body, of: head)
        } catch {
            return .failure(error)
        }
        do {
            let target = destination(head)
            try FileMove.replace(target, with: file.url)
            return .success(.file(target))
        } catch {
            body.failure = error
            return .failure(.local(error))
        }
    }
}

/// The file that a download writes to until it is complete.
package protocol IncompleteFile: Sendable {
    var url: URL { get }

    /// Opens the file. The body of the response is appended to it.
    ///
    /// - Throws: The error with which the download fails. An ``APITransportError`` is reported unchanged; any other
    ///   error is reported as ``APITransportError/local(_:)``.
    func open(for head: HTTPURLResponse) throws -> FileHandle

    /// - Throws: An error if the file is not what was requested, although the response is complete.
    func check(_ body: StreamedBody, of head: HTTPURLResponse) throws(APITransportError)

    /// Removes the file after the download has ended, unless a later download may resume it.
    ///
    /// - Parameter wasOpen: Whether ``open(for:)`` has succeeded.
    func end(
        _ body: StreamedBody, wasOpen: Bool, _ result: Result<APIDownloadResponse.Body, APITransportError>)
}

/// A temporary file, which is removed whether the download succeeds or fails.
package struct TemporaryFile: IncompleteFile {
    package let url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "APIService-\(UUID().uuidString)")
    private let asked: RequestedRange

    /// Creates the file of a download, and changes the request so that the length of the file can be checked.
    package init(for request: inout URLRequest) {
        request.askForIdentity()
        asked = RequestedRange(request)
    }

    package func check(_ body: StreamedBody, of head: HTTPURLResponse) throws(APITransportError) {
        try asked.check(head, size: body.written, mayBeShort: false)
    }

    package func open(for head: HTTPURLResponse) throws -> FileHandle {
        if head.hasNoContent { throw APITransportError.broken(NoFile(statusCode: head.statusCode)) }
        try asked.check(head, size: nil, mayBeShort: false)
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }

    package func end(
        _ body: StreamedBody, wasOpen: Bool, _ result: Result<APIDownloadResponse.Body, APITransportError>
    ) {
        try? FileManager.default.removeItem(at: url)
    }
}

/// Moves files atomically: a reader of the target sees either the complete old file or the complete new file.
package enum FileMove {
    /// Moves a file to `target` on the same volume, replacing an existing file.
    package static func rename(_ file: URL, to target: URL) throws {
        let result = unsafe Foundation.rename(file.path, target.path)
        guard result == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Moves a file to `target` from any volume, replacing an existing file. Creates the target's folder if
    /// needed.
    package static func replace(_ target: URL, with file: URL) throws {
        let folder = target.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            return try rename(file, to: target)
        } catch {
            // Probably another volume: copy the file next to the target first.
            let beside = folder.appendingPathComponent(".\(UUID().uuidString).moving")
            defer { try? FileManager.default.removeItem(at: beside) }
            try FileManager.default.copyItem(at: file, to: beside)
            try rename(beside, to: target)
            try? FileManager.default.removeItem(at: file)
        }
    }
}
