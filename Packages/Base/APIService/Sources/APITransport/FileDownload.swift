import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes a streamed response to a temporary file and, when it is complete, moves the file to its destination.
/// A response whose status is not 200 to 299 is kept in memory.
///
/// All operations are thread-safe. The events arrive one at a time.
package final class FileDownload: Sendable {
    private let state: Locked<StreamedBody>
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent(
        "APIService-\(UUID().uuidString)")
    private let destination: APIDownloadDestination
    private let progressHandler: APIProgressHandler?
    private let completionHandler: APIDownloadResponseCompletionHandler

    /// - Parameter limit: The maximum size of a body that is kept in memory.
    package init(
        to destination: @escaping APIDownloadDestination, limit: Int? = nil,
        _ progressHandler: APIProgressHandler?,
        _ completionHandler: @escaping APIDownloadResponseCompletionHandler
    ) {
        state = Locked(StreamedBody(limit: limit))
        (self.destination, self.progressHandler) = (destination, progressHandler)
        self.completionHandler = completionHandler
    }

    /// Creates the exchange with `client`.
    package func task(_ client: any APIStreamingClient, _ request: URLRequest) -> any APIRequestTask {
        let task = client.createStreamRequest(
            request: request, upload: nil, progressHandler: nil, eventHandler: { self.take($0) })
        state.withLock { $0.task = task }
        return task
    }

    private func take(_ event: APIStreamEvent) {
        switch event {
        case .head(let head): state.withLock { open(head, &$0) }
        case .piece(let piece):
            let (progress, excessive) = state.withLock { (write(piece, &$0), $0.excessive) }
            excessive?.cancel()
            if let progress { progressHandler?(progress) }
        case .end(let error):
            let response = state.withLock { state in
                APIDownloadResponse(response: state.head, result: finish(error, &state))
            }
            completionHandler(response)
        }
    }

    private func open(_ head: HTTPURLResponse, _ state: inout StreamedBody) {
        state.head = head
        guard (200..<300).contains(head.statusCode) else { return }
        do {
            try Data().write(to: file)
            state.handle = try FileHandle(forWritingTo: file)
        } catch {
            state.failure = error
        }
    }

    private func write(_ piece: Data, _ state: inout StreamedBody) -> APIProgress? {
        guard state.write(piece) else { return nil }
        return APIProgress(
            .download, completed: state.written, total: state.head?.expectedLength(beyond: Int(state.written))
        )
    }

    private func finish(
        _ error: APITransportError?, _ state: inout StreamedBody
    ) -> Result<APIDownloadResponse.Body, APITransportError> {
        let handle = state.handle
        (state.handle, state.task) = (nil, nil)
        // After a move, the temporary file no longer exists.
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            try handle?.close()
            if let failure = state.error(after: error) { return .failure(failure) }
            guard let head = state.head else { return .failure(.broken(MissingHead())) }
            guard handle != nil else { return .success(.data(state.other)) }
            let target = destination(head)
            try FileMove.replace(target, with: file)
            return .success(.file(target))
        } catch {
            return .failure(.local(error))
        }
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
