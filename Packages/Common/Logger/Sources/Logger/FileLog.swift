import Foundation
import Locking
import LoggerApi

/// A logger that writes to `log.txt`. When that has grown to its bound it becomes `log.1.txt`, in place of the one
/// before.
///
/// A line that cannot be written is lost, and the next one that can be says how many were. The first one that
/// cannot be is told, once in the life of the log: nobody would look for what is not there.
final class FileLog: LoggerApiProtocol {
    private static let bound: UInt64 = 256 * 1024

    private let file, former: URL
    private let lost = Locked((now: 0, ever: false))

    /// - Parameter folder: Where the files are.
    init(folder: URL) {
        file = folder.appending(path: "log.txt")
        former = folder.appending(path: "log.1.txt")
    }

    func log(_ level: LogLevel, _ message: String) {
        let line = LogLine(level, message).text
        // Under the lock: lines do not mix.
        let complaint: String? = lost.withLock { lost in
            do {
                let before =
                    lost.now == 0
                    ? "" : LogLine(.warning, "\(lost.now) lines before this one were lost").text + "\n"
                try append(before + line + "\n")
                lost.now = 0
                return nil
            } catch {
                defer { lost = (lost.now + 1, true) }
                return lost.ever ? nil : words(for: error)
            }
        }
        if let complaint { complain(complaint) }
    }

    func recent(limit: Int) -> [String] {
        guard limit > 0 else { return [] }
        // Under the lock: one file does not become the other meanwhile.
        return lost.withLock { _ in
            let latest = Self.lines(of: file).suffix(limit)
            if latest.count == limit { return latest.map(String.init) }
            return (Self.lines(of: former).suffix(limit - latest.count) + latest).map(String.init)
        }
    }

    private static func lines(of file: URL) -> [Substring] {
        (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
    }

    private func words(for error: any Error) -> String {
        // Of the two, the system's own error says more.
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
        return "\(file.path): the log cannot be written: \(cause.localizedDescription). What happens is not "
            + "written down until it can be; the app goes on. Mend the file's or the folder's permissions, or make "
            + "room on the disk."
    }

    /// A line on standard error, which is where a program's own troubles go.
    private func complain(_ message: String) {
        // When that cannot be written either, nobody listens.
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
        // A file that cannot be put away grows on: the line is in it.
        if size + UInt64(text.utf8.count) >= Self.bound { try? putAway() }
    }

    private func putAway() throws {
        if FileManager.default.fileExists(atPath: former.path) {
            try FileManager.default.removeItem(at: former)
        }
        try FileManager.default.moveItem(at: file, to: former)
    }
}
