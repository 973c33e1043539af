import Foundation
import Locking
import LoggerApi

/// A logger that writes to `log.txt`. When the file reaches its size limit, it is renamed to `log.1.txt` and
/// replaces the previous file of that name.
///
/// A line that cannot be written is lost, and the next successful write reports how many lines were lost. The logger
/// also reports its first failure on standard error, because otherwise nobody would notice missing lines.
final class FileLog: LoggerApiProtocol {
    /// The size in bytes at which the file is rotated.
    private static let sizeLimit: UInt64 = 256 * 1024

    private let file, previous: URL
    /// The number of lines lost since the last successful write, and whether a failure has been reported.
    private let lost = Locked((count: 0, isReported: false))

    /// - Parameter folder: The folder for the log files, which must already exist.
    init(folder: URL) {
        file = folder.appending(path: "log.txt")
        previous = folder.appending(path: "log.1.txt")
    }

    func log(_ level: LogLevel, _ message: String) {
        let line = LogLine(level, message).text
        // The lock keeps concurrent lines from interleaving.
        let complaint: String? = lost.withLock { lost in
            do {
                let before =
                    lost.count == 0
                    ? "" : LogLine(.warning, "\(lost.count) lines before this one were lost").text + "\n"
                try append(before + line + "\n")
                lost.count = 0
                return nil
            } catch {
                defer { lost = (lost.count + 1, true) }
                return lost.isReported ? nil : words(for: error)
            }
        }
        if let complaint { complain(complaint) }
    }

    func recent(limit: Int) -> [String] {
        guard limit > 0 else { return [] }
        // The lock prevents a rotation between the reads of the two files.
        return lost.withLock { _ in
            let latest = Self.lines(of: file).suffix(limit)
            if latest.count == limit { return latest.map(String.init) }
            return (Self.lines(of: previous).suffix(limit - latest.count) + latest).map(String.init)
        }
    }

    private static func lines(of file: URL) -> [Substring] {
        (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
    }

    private func words(for error: any Error) -> String {
        // The underlying system error is more specific than the Foundation error.
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
        return "\(file.path): the log cannot be written: \(cause.localizedDescription). Lines are lost until "
            + "the log can be written again; the app continues. Fix the permissions of the file or the folder, or "
            + "free disk space."
    }

    /// Writes a line to standard error.
    private func complain(_ message: String) {
        // If writing to standard error fails too, the failure cannot be reported.
        try? FileHandle.standardError.write(contentsOf: Data("Logger: \(message)\n".utf8))
    }

    private func append(_ text: String) throws {
        if !FileManager.default.fileExists(atPath: file.path) {
            _ = FileManager.default.createFile(
                atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        let size = try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        // A failed rotation is ignored, because the line has been written: the file just keeps growing.
        if size + UInt64(text.utf8.count) >= Self.sizeLimit { try? rotate() }
    }

    private func rotate() throws {
        if FileManager.default.fileExists(atPath: previous.path) {
            try FileManager.default.removeItem(at: previous)
        }
        try FileManager.default.moveItem(at: file, to: previous)
    }
}
