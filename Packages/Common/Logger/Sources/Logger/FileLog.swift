import Foundation
import Locking
import LoggerApi

/// A logger that writes to `log.txt`. When that has grown to its bound it becomes `log.1.txt`, in place of the one
/// before.
///
/// A line that cannot be written is lost, and the next one that can be says how many were.
final class FileLog: LoggerApiProtocol {
    private static let bound: UInt64 = 256 * 1024

    private let file, former: URL
    private let lost = Locked(0)

    init(folder: URL) {
        file = folder.appending(path: "log.txt")
        former = folder.appending(path: "log.1.txt")
    }

    func log(_ level: LogLevel, _ message: String) {
        let line = LogLine(level, message).text
        // Under the lock: lines do not mix.
        lost.withLock { lost in
            do {
                let before =
                    lost == 0 ? "" : LogLine(.warning, "\(lost) lines before this one were lost").text + "\n"
                try append(before + line + "\n")
                lost = 0
            } catch {
                lost += 1
            }
        }
    }

    func recent(limit: Int) -> [String] {
        guard limit > 0, let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").suffix(limit).map(String.init)
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
