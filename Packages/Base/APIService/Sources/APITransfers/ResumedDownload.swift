import APIService
import APITransport
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes a streamed response to a partial file and, when it is complete, moves the file to its destination.
///
/// The download resumes where an earlier attempt stopped. It sends Range, and If-Range with the ETag of the earlier
/// response, so that a file that has changed on the server is downloaded from the start (RFC 9110, 13.1.5). Only a
/// strong ETag is used. Without one, the partial file of a broken download is removed.
///
/// All operations are thread-safe. The events arrive one at a time.
final class ResumedDownload: Sendable {
    /// The contents of the `.resume` file next to a partial file, as JSON.
    struct Resume: Codable, Equatable {
        var url: String
        var etag: String

        static func file(_ partial: URL) -> URL { partial.appendingPathExtension("resume") }

        static func read(_ partial: URL) -> Resume? {
            guard let data = try? Data(contentsOf: file(partial)) else { return nil }
            return try? JSONDecoder().decode(Resume.self, from: data)
        }
    }

    private struct State {
        var body: StreamedBody
        var hasResume = false
    }

    private let state: Locked<State>
    private let request: URLRequest
    /// The size of the partial file to resume; 0 if the download starts at the beginning.
    private let offset: Int64
    /// The ETag of the file to resume.
    private let etag: String?
    /// Whether the caller has requested its own range. Such a download cannot be resumed.
    private let isCallersRange: Bool
    private let file: URL
    private let destination: APIDownloadDestination
    private let progressHandler: APIProgressHandler?
    private let completionHandler: APIDownloadResponseCompletionHandler

    /// Creates a download that resumes at the end of the partial file, if there is one.
    ///
    /// - Parameter limit: The maximum size of a body that is kept in memory.
    init(
        _ request: URLRequest, partial: URL, destination: @escaping APIDownloadDestination, limit: Int?,
        _ progressHandler: APIProgressHandler?,
        _ completionHandler: @escaping APIDownloadResponseCompletionHandler
    ) {
        state = Locked(State(body: StreamedBody(limit: limit)))
        self.destination = destination
        self.progressHandler = progressHandler
        self.completionHandler = completionHandler
        file = partial
        var request = request
        var (offset, etag): (Int64, String?) = (0, nil)
        isCallersRange = request.value(forHTTPHeaderField: "Range") != nil
        if !isCallersRange, let resume = Resume.read(partial),
            resume.url == request.url?.absoluteString,
            let size = try? FileManager.default.attributesOfItem(atPath: partial.path)[.size] as? NSNumber,
            size.int64Value > 0
        {
            (offset, etag) = (size.int64Value, resume.etag)
            request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range")
            request.setValue(resume.etag, forHTTPHeaderField: "If-Range")
        }
        // A compressed body cannot be resumed at a byte offset of the file.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        self.request = request
        (self.offset, self.etag) = (offset, etag)
    }

    /// Creates the exchange with `client`.
    func task(_ client: any APIStreamingClient) -> any APIRequestTask {
        let task = client.createStreamRequest(
            request: request, upload: nil, progressHandler: nil, eventHandler: { self.take($0) })
        state.withLock { $0.body.task = task }
        return task
    }

    private func take(_ event: APIStreamEvent) {
        switch event {
        case .head(let head): state.withLock { begin(head, &$0) }
        case .piece(let piece):
            let (progress, excessive) = state.withLock { (write(piece, &$0), $0.body.excessive) }
            excessive?.cancel()
            if let progress { progressHandler?(progress) }
        case .end(let error): end(error)
        }
    }

    private func begin(_ head: HTTPURLResponse, _ state: inout State) {
        state.body.head = head
        guard (200..<300).contains(head.statusCode) else { return }
        do {
            let resumes = offset > 0 && head.statusCode == 206
            if resumes, !isRest(head) || Self.isEncoded(head) {
                // Otherwise the next attempt would ask for the same range again.
                discard()
                throw WrongRange()
            }
            if !resumes {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                // Remove the old validator first: it must never be stored beside the bytes of another file.
                try? FileManager.default.removeItem(at: Resume.file(file))
                try Data().write(to: file)
            }
            let handle = try FileHandle(forWritingTo: file)
            state.body.handle = handle
            state.body.written = Int64(clamping: try handle.seekToEnd())
            state.hasResume = try resumes || !isCallersRange && noteValidator(head)
        } catch {
            state.body.failure = error
        }
    }

    /// Whether a 206 response continues at the end of the partial file and belongs to the same file. The
    /// check is necessary because some servers ignore If-Range.
    private func isRest(_ head: HTTPURLResponse) -> Bool {
        Self.start(head) == offset && [nil, etag].contains(head.value(forHTTPHeaderField: "ETag"))
    }

    /// Saves the ETag of the response. Returns false if it has no strong ETag.
    private func noteValidator(_ head: HTTPURLResponse) throws -> Bool {
        // Offsets in a decoded body differ from those in the server's encoded body.
        guard !Self.isEncoded(head), let etag = head.value(forHTTPHeaderField: "ETag"), etag.hasPrefix("\""),
            let url = request.url?.absoluteString
        else { return false }
        try JSONEncoder().encode(Resume(url: url, etag: etag)).write(
            to: Resume.file(file), options: .atomic)
        return true
    }

    private func write(_ piece: Data, _ state: inout State) -> APIProgress? {
        guard state.body.write(piece) else { return nil }
        let length = state.body.head?.expectedLength(beyond: 0).map {
            state.body.head?.statusCode == 206 ? $0 + offset : $0
        }
        return APIProgress(
            .download, completed: state.body.written,
            total: length.flatMap { $0 >= state.body.written ? $0 : nil })
    }

    private func end(_ error: APITransportError?) {
        let (head, result) = state.withLock { state in
            defer { (state.body.handle, state.body.task) = (nil, nil) }
            return (state.body.head, finish(error, &state))
        }
        completionHandler(APIDownloadResponse(response: head, result: result))
    }

    private func finish(
        _ error: APITransportError?, _ state: inout State
    ) -> Result<APIDownloadResponse.Body, APITransportError> {
        let wasOpen = state.body.handle != nil
        do {
            try state.body.handle?.close()
        } catch {
            state.body.failure = state.body.failure ?? error
        }
        var failure = state.body.error(after: error)
        if case .local(let error as WrongRange) = failure { failure = .broken(error) }
        guard failure == nil, let head = state.body.head else {
            // A download cannot be resumed after a disk error or without a validator.
            // A resumed download that fails without a new byte starts over.
            let isStuck = state.body.head?.statusCode == 206 && state.body.written == offset
            if wasOpen, state.body.failure != nil || !state.hasResume || isStuck { discard() }
            return .failure(failure ?? .broken(MissingHead()))
        }
        guard wasOpen else {
            // 416: the partial file is not the start of the server's current file.
            if head.statusCode == 416 { discard() }
            return .success(.data(state.body.other))
        }
        do {
            let target = destination(head)
            try FileMove.replace(target, with: file)
            try? FileManager.default.removeItem(at: Resume.file(file))
            return .success(.file(target))
        } catch {
            discard()
            return .failure(.local(error))
        }
    }

    private static func isEncoded(_ head: HTTPURLResponse) -> Bool {
        ![nil, "identity"].contains(head.value(forHTTPHeaderField: "Content-Encoding")?.lowercased())
    }

    private func discard() {
        try? FileManager.default.removeItem(at: Resume.file(file))
        try? FileManager.default.removeItem(at: file)
    }

    /// Returns the start of a range such as `Content-Range: bytes 10-99/100`.
    static func start(_ head: HTTPURLResponse) -> Int64? {
        guard let field = head.value(forHTTPHeaderField: "Content-Range"), field.hasPrefix("bytes ") else {
            return nil
        }
        return field.dropFirst(6).split(separator: "-").first.flatMap { Int64($0) }
    }

    /// The server sent a different range, or a range of a different file.
    struct WrongRange: Error {}
}
