import APIService
import APITransport
import Digests
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The file of a download that resumes where an earlier attempt stopped.
///
/// The download sends a Range field, and an If-Range field with the ETag of the earlier response, so a file that has
/// changed on the server is downloaded from the start (RFC 9110, 13.1.5). Only a strong ETag is used. Without one, the
/// partial file of a broken download is removed. The ETag of a response that came from a redirect is not sent, because it
/// belongs to another URL; instead, the part must come from that URL (with any query, because signed URLs change) and have
/// that ETag.
///
/// The file is complete only if the response says where the file ends. If a part ends before that, the download fails,
/// and the next attempt requests the rest. A part of a file with another length than the earlier response declared is
/// refused, even if its ETag is the same. Whatever contradicts the request is removed: see ``RequestedRange``.
///
/// All operations are thread-safe.
final class PartialFile: IncompleteFile {
    /// The contents of the `.resume` file next to a partial file, as JSON. It contains no query, which may be a secret.
    struct Resume: Codable, Equatable {
        /// The digest of the requested URL.
        let request: String
        let etag: String
        /// The URL that gave the ETag, without its query; `nil` if it is the requested URL.
        let source: String?
        /// The length of the whole file; `nil` if no response has declared it.
        var length: Int64?

        init(url: String, etag: String, source: String? = nil, length: Int64? = nil) {
            (request, self.etag) = (Digest.sha256(Data(url.utf8)), etag)
            (self.source, self.length) = (source, length)
        }

        /// Whether this file belongs to a URL.
        func belongs(to url: String?) -> Bool { url.map { Digest.sha256(Data($0.utf8)) } == request }

        static func file(_ partial: URL) -> URL { partial.appendingPathExtension("resume") }

        static func read(_ partial: URL) -> Resume? {
            guard let data = try? Data(contentsOf: file(partial)) else { return nil }
            let resume = try? JSONDecoder().decode(Resume.self, from: data)
            // A request with a control character in a field would not be sent.
            return resume.flatMap { APIHeaders.Field(name: "If-Range", value: $0.etag).isValid ? $0 : nil }
        }

        func write(beside partial: URL) throws {
            try JSONEncoder().encode(self).write(to: Self.file(partial), options: .atomic)
        }
    }

    let url: URL
    private let target: String?
    /// The size of the partial file to resume; 0 if the download starts at the beginning.
    private let offset: Int64
    /// How the file is resumed; `nil` if the download starts at the beginning.
    private let resume: Resume?
    /// Whether the caller has requested its own range. Such a download cannot be resumed.
    private let isCallersRange: Bool
    private let asked: RequestedRange
    /// Whether another attempt can resume this one.
    private let isResumable = Locked(false)

    /// Creates the file of a download, and changes the request so that it asks for the rest of the file.
    init(_ partial: URL, for request: inout URLRequest) {
        (url, target) = (partial, request.url?.absoluteString)
        isCallersRange = request.value(forHTTPHeaderField: "Range") != nil
        // A compressed body cannot be resumed at a byte offset of the file.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        guard !isCallersRange, let resume = Resume.read(partial), resume.belongs(to: target),
            let size = try? APIUpload.file(partial).length(), size > 0
        else {
            (offset, resume, asked) = (0, nil, RequestedRange(request))
            return
        }
        (offset, self.resume) = (size, resume)
        request.setValue("bytes=\(size)-", forHTTPHeaderField: "Range")
        if resume.source == nil { request.setValue(resume.etag, forHTTPHeaderField: "If-Range") }
        asked = RequestedRange(request, length: resume.length)
    }

    func open(for head: HTTPURLResponse) throws -> FileHandle {
        let resumed = head.statusCode == 206 ? resume : nil
        // If the rest was requested, only a 206 and a 200 contain it.
        guard offset == 0 ? !head.hasNoContent : [200, 206].contains(head.statusCode) else {
            throw APITransportError.broken(NoFile(statusCode: head.statusCode))
        }
        do {
            if let resumed, !isSameFile(head, as: resumed) { throw APITransportError.broken(ChangedFile()) }
            try asked.check(head, size: nil, mayBeShort: resumed != nil)
        } catch {
            // If the file remained, the next attempt would ask for the same range again.
            if offset > 0 { discard() }
            throw error
        }
        if resumed == nil {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            // Remove the old validator first: it must never be stored beside the bytes of another file.
            try? FileManager.default.removeItem(at: Resume.file(url))
            try Data().write(to: url)
        }
        let handle = try FileHandle(forWritingTo: url)
        // The file may have changed since the request, for example by an attempt that was cancelled while it wrote.
        guard try handle.seekToEnd() >= offset || resumed == nil else { throw ChangedFile() }
        if resumed != nil { try handle.truncate(atOffset: UInt64(offset)) }
        let isResumable =
            try resumed.map { try noteLength(head, $0) } ?? (!isCallersRange && noteValidator(head))
        self.isResumable.withLock { $0 = isResumable }
        return handle
    }

    /// Whether a 206 response belongs to the same file as the partial file. The check is necessary because some servers
    /// ignore If-Range.
    private func isSameFile(_ head: HTTPURLResponse, as resume: Resume) -> Bool {
        let etag = head.value(forHTTPHeaderField: "ETag")
        let source = source(head)
        if source == nil, resume.source == nil { return etag == nil || etag == resume.etag }
        return source == resume.source && etag == resume.etag
    }

    /// Returns the URL that a redirect led to, without its query; `nil` if there was no redirect.
    private func source(_ head: HTTPURLResponse) -> String? {
        guard let url = head.url, url.absoluteString != target else { return nil }
        return url.withoutQuery.absoluteString
    }

    func check(_ body: StreamedBody, of head: HTTPURLResponse) throws(APITransportError) {
        do throws(APITransportError) {
            try asked.check(head, size: body.written, mayBeShort: false)
        } catch {
            if case .broken(is WrongRange) = error { discard() }
            throw error
        }
    }

    /// Saves the length of the file, if no earlier response has declared it. Returns true.
    private func noteLength(_ head: HTTPURLResponse, _ resume: Resume) throws -> Bool {
        guard resume.length == nil, let length = ContentRange(head)?.total else { return true }
        var resume = resume
        resume.length = length
        try resume.write(beside: url)
        return true
    }

    /// Saves the ETag of the response. Returns false if the ETag is missing or weak, or the body is encoded.
    private func noteValidator(_ head: HTTPURLResponse) throws -> Bool {
        // Offsets in a decoded body differ from those in the server's encoded body.
        guard !head.isEncoded, let etag = head.value(forHTTPHeaderField: "ETag"), etag.hasPrefix("\""),
            let target
        else { return false }
        let length = head.expectedLength
        try Resume(url: target, etag: etag, source: source(head), length: length).write(beside: url)
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

    private func discard() {
        try? FileManager.default.removeItem(at: Resume.file(url))
        try? FileManager.default.removeItem(at: url)
    }
}

/// The file has changed since its first part was downloaded, on the server or on this machine.
struct ChangedFile: Error, CustomStringConvertible {
    var description: String {
        "the file has changed since its first part was downloaded. Download it again"
    }
}
