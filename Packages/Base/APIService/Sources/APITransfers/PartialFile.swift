import APITransport
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The file of a download that resumes where an earlier attempt stopped.
///
/// The download sends a Range field, and an If-Range field with the ETag of the earlier response, so a file that has
/// changed on the server is downloaded from the start (RFC 9110, 13.1.5). Only a strong ETag is used. Without one, the
/// partial file of a broken download is removed.
///
/// All operations are thread-safe.
final class PartialFile: IncompleteFile {
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

    /// The server sent a different range, or a range of a different file.
    struct WrongRange: Error {}

    let url: URL
    private let target: String?
    /// The size of the partial file to resume; 0 if the download starts at the beginning.
    private let offset: Int64
    /// The ETag of the file to resume.
    private let etag: String?
    /// Whether the caller has requested its own range. Such a download cannot be resumed.
    private let isCallersRange: Bool
    /// Whether another attempt can resume this one.
    private let isResumable = Locked(false)

    /// Creates the file of a download, and changes the request so that it asks for the rest of the file.
    init(_ partial: URL, for request: inout URLRequest) {
        (url, target) = (partial, request.url?.absoluteString)
        isCallersRange = request.value(forHTTPHeaderField: "Range") != nil
        // A compressed body cannot be resumed at a byte offset of the file.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        guard !isCallersRange, let resume = Resume.read(partial), resume.url == target,
            let size = try? APIUpload.file(partial).length(), size > 0
        else {
            (offset, etag) = (0, nil)
            return
        }
        (offset, etag) = (size, resume.etag)
        request.setValue("bytes=\(size)-", forHTTPHeaderField: "Range")
        request.setValue(resume.etag, forHTTPHeaderField: "If-Range")
    }

    func open(for head: HTTPURLResponse) throws -> FileHandle {
        let resumes = offset > 0 && head.statusCode == 206
        if resumes, !isRest(head) || Self.isEncoded(head) {
            // If the file remained, the next attempt would ask for the same range again.
            discard()
            throw APITransportError.broken(WrongRange())
        }
        if !resumes {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            // Remove the old validator first: it must never be stored beside the bytes of another file.
            try? FileManager.default.removeItem(at: Resume.file(url))
            try Data().write(to: url)
        }
        let handle = try FileHandle(forWritingTo: url)
        let isResumable = try resumes || !isCallersRange && noteValidator(head)
        self.isResumable.withLock { $0 = isResumable }
        return handle
    }

    /// Whether a 206 response continues at the end of the partial file and belongs to the same file. The
    /// check is necessary because some servers ignore If-Range.
    private func isRest(_ head: HTTPURLResponse) -> Bool {
        Self.start(head) == offset && [nil, etag].contains(head.value(forHTTPHeaderField: "ETag"))
    }

    /// Saves the ETag of the response. Returns false if the ETag is missing or weak, or the body is encoded.
    private func noteValidator(_ head: HTTPURLResponse) throws -> Bool {
        // Offsets in a decoded body differ from those in the server's encoded body.
        guard !Self.isEncoded(head), let etag = head.value(forHTTPHeaderField: "ETag"), etag.hasPrefix("\""),
            let target
        else { return false }
        try JSONEncoder().encode(Resume(url: target, etag: etag)).write(
            to: Resume.file(url), options: .atomic)
        return true
    }

    func end(
        _ body: StreamedBody, wasOpen: Bool, _ result: Result<APIDownloadResponse.Body, APITransportError>
    ) {
        switch result {
        case .success(.file): try? FileManager.default.removeItem(at: Resume.file(url))
        // 416: the partial file is not the start of the server's current file.
        case .success(.data): if body.head?.statusCode == 416 { discard() }
        case .failure:
            // A download cannot be resumed after a disk error or without a validator. If a resumed download (206) fails
            // before it receives a byte, the next attempt starts over.
            let isStuck = body.head?.statusCode == 206 && body.written == 0
            if wasOpen, body.failure != nil || !isResumable.withLock({ $0 }) || isStuck { discard() }
        }
    }

    private static func isEncoded(_ head: HTTPURLResponse) -> Bool {
        ![nil, "identity"].contains(head.value(forHTTPHeaderField: "Content-Encoding")?.lowercased())
    }

    private func discard() {
        try? FileManager.default.removeItem(at: Resume.file(url))
        try? FileManager.default.removeItem(at: url)
    }

    /// Returns the start of a range such as `Content-Range: bytes 10-99/100`.
    static func start(_ head: HTTPURLResponse) -> Int64? {
        guard let field = head.value(forHTTPHeaderField: "Content-Range"), field.hasPrefix("bytes ") else {
            return nil
        }
        return field.dropFirst(6).split(separator: "-").first.flatMap { Int64($0) }
    }
}
