import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes a streamed answer to a file and moves it, whole, to its destination.
///
/// With a `partial` file it goes on where an earlier attempt broke: by Range, and by If-Range with the ETag
/// that the earlier answer had, so that a file that has changed at the server is got from its start (RFC 9110,
/// 13.1.5). Only a strong ETag counts; without one a broken download leaves nothing.
///
/// All operations are safe from every thread; the events come one at a time.
final class FileDownload: Sendable {
    /// What lies beside a partial file, as JSON.
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
        var head: HTTPURLResponse?
        var handle: FileHandle?
        var written: Int64 = 0
        /// The body of an answer that is no success.
        var other = Data()
        var failure: (any Error)?
        var hasResume = false
    }

    private let state = Locked(State())
    private let request: URLRequest
    /// How much the partial file holds; 0: the request is not for the rest of it.
    private let offset: Int64
    /// What the server called the file that the partial one is the start of.
    private let etag: String?
    /// Whether the request is for a part of the caller's choice, which is no start to go on from.
    private let isCallersRange: Bool
    private let file: URL
    private let isPartial: Bool
    private let destination: APIDownloadDestination
    private let progressHandler: APIProgressHandler?
    private let completionHandler: APIDownloadResponseCompletionHandler

    /// A download of `request`, from where a partial file ends, if there is one.
    init(
        _ request: URLRequest, partial: URL?, destination: @escaping APIDownloadDestination,
        _ progressHandler: APIProgressHandler?,
        _ completionHandler: @escaping APIDownloadResponseCompletionHandler
    ) {
        self.destination = destination
        self.progressHandler = progressHandler
        self.completionHandler = completionHandler
        file =
            partial
            ?? FileManager.default.temporaryDirectory.appendingPathComponent(
                "APIService-\(UUID().uuidString)")
        isPartial = partial != nil
        var request = request
        var (offset, etag): (Int64, String?) = (0, nil)
        isCallersRange = request.value(forHTTPHeaderField: "Range") != nil
        if let partial, !isCallersRange, let resume = Resume.read(partial),
            resume.url == request.url?.absoluteString,
            let size = try? FileManager.default.attributesOfItem(atPath: partial.path)[.size] as? NSNumber,
            size.int64Value > 0
        {
            (offset, etag) = (size.int64Value, resume.etag)
            request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range")
            request.setValue(resume.etag, forHTTPHeaderField: "If-Range")
        }
        // A compressed body cannot be gone on with at a byte of the file.
        if isPartial { request.setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
        self.request = request
        (self.offset, self.etag) = (offset, etag)
    }

    /// The exchange, with `client`.
    func task(_ client: any APIStreamingClient) -> any APIRequestTask {
        client.createStreamRequest(
            request: request, upload: nil, progressHandler: nil, eventHandler: { self.take($0) })
    }

    private func take(_ event: APIStreamEvent) {
        switch event {
        case .head(let head): state.withLock { begin(head, &$0) }
        case .piece(let piece):
            let progress = state.withLock { write(piece, &$0) }
            if let progress { progressHandler?(progress) }
        case .end(let error): end(error)
        }
    }

    private func begin(_ head: HTTPURLResponse, _ state: inout State) {
        state.head = head
        guard (200..<300).contains(head.statusCode) else { return }
        do {
            let goesOn = offset > 0 && head.statusCode == 206
            if goesOn, !isRest(head) {
                // Or the next attempt would ask for the same again.
                discard()
                throw WrongRange()
            }
            if !goesOn {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                // First the old validator goes: it must never stand beside another file's bytes.
                try? FileManager.default.removeItem(at: Resume.file(file))
                try Data().write(to: file)
            }
            let handle = try FileHandle(forWritingTo: file)
            state.handle = handle
            state.written = Int64(clamping: try handle.seekToEnd())
            state.hasResume = try isPartial && (goesOn || !isCallersRange && noteValidator(head))
        } catch {
            state.failure = error
        }
    }

    /// Whether a 206 goes on where the partial file ends, and with the same file: some servers know no If-Range.
    private func isRest(_ head: HTTPURLResponse) -> Bool {
        Self.start(head) == offset && [nil, etag].contains(head.value(forHTTPHeaderField: "ETag"))
    }

    /// Notes what the server calls this version of the file. Returns false when it has no strong name for it.
    private func noteValidator(_ head: HTTPURLResponse) throws -> Bool {
        guard let etag = head.value(forHTTPHeaderField: "ETag"), etag.hasPrefix("\""),
            let url = request.url?.absoluteString
        else { return false }
        try JSONEncoder().encode(Resume(url: url, etag: etag)).write(
            to: Resume.file(file), options: .atomic)
        return true
    }

    private func write(_ piece: Data, _ state: inout State) -> APIProgress? {
        guard state.failure == nil else { return nil }
        guard let handle = state.handle else {
            state.other.append(piece)
            return nil
        }
        do {
            try handle.write(contentsOf: piece)
            state.written += Int64(piece.count)
        } catch {
            state.failure = error
        }
        let length = state.head?.expectedLength(beyond: 0).map {
            state.head?.statusCode == 206 ? $0 + offset : $0
        }
        return APIProgress(
            .download, completed: state.written, total: length.flatMap { $0 >= state.written ? $0 : nil })
    }

    private func end(_ error: APITransportError?) {
        let (head, result) = state.withLock { state in
            defer { state.handle = nil }
            return (state.head, finish(error, &state))
        }
        completionHandler(APIDownloadResponse(response: head, result: result))
    }

    private func finish(
        _ error: APITransportError?, _ state: inout State
    ) -> Result<APIDownloadResponse.Body, APITransportError> {
        let wasOpen = state.handle != nil
        do {
            try state.handle?.close()
        } catch {
            state.failure = state.failure ?? error
        }
        let failure = error ?? state.failure.map { .broken($0) }
        guard failure == nil, let head = state.head else {
            // A failing disk, or a file without a validator, is nothing to go on from.
            if wasOpen, state.failure != nil || !state.hasResume { discard() }
            return .failure(failure ?? .broken(Transport.NoHead()))
        }
        guard wasOpen else {
            // 416: what is there is no part of what the server has now.
            if head.statusCode == 416, isPartial { discard() }
            return .success(.data(state.other))
        }
        do {
            let target = destination(head)
            try FileMove.replace(target, with: file)
            try? FileManager.default.removeItem(at: Resume.file(file))
            return .success(.file(target))
        } catch {
            discard()
            return .failure(.broken(error))
        }
    }

    private func discard() {
        try? FileManager.default.removeItem(at: Resume.file(file))
        try? FileManager.default.removeItem(at: file)
    }

    /// Where a `Content-Range: bytes 10-99/100` starts.
    static func start(_ head: HTTPURLResponse) -> Int64? {
        guard let field = head.value(forHTTPHeaderField: "Content-Range"), field.hasPrefix("bytes ") else {
            return nil
        }
        return field.dropFirst(6).split(separator: "-").first.flatMap { Int64($0) }
    }

    /// The server answered with another part than it was asked for, or with a part of another file.
    struct WrongRange: Error {}
}
