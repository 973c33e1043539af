import Dispatch
import Foundation
import Locking
import LoggerApi

/// A logger that writes to `log.txt`. When the file reaches its size limit, it is renamed to `log.1.txt` and
/// replaces the previous file of that name.
///
/// The lines are written on a queue, so that no caller waits for the disk. A line that cannot be written is lost, and the
/// next successful write reports how many lines were lost. The logger also reports its first failure on standard error,
/// because otherwise nobody would notice missing lines.
final class FileLog: LoggerApiProtocol {
    /// The size in bytes at which the file is rotated.
    private static let sizeLimit: UInt64 = 256 * 1024

    /// The open file, the number of lines lost since the last successful write, and whether a failure has been reported.
    private struct State {
        var handle: FileHandle?
        var size: UInt64 = 0
        var lost = 0
        var isReported = false
    }

    private let file, previous: URL
    private let queue = DispatchQueue(label: "Logger", qos: .utility)
    /// Used on the queue alone.
    private let state = Locked(State())

    /// - Parameter folder: The folder for the log files, which must already exist.
    init(folder: URL) {
        file = folder.appending(path: "log.txt")
        previous = folder.appending(path: "log.1.txt")
    }

    deinit { state.withLock { try? $0.handle?.close() } }

    func log(_ level: LogLevel, _ message: String) {
        let line = LogLine(level, message).text
        queue.async { [self] in write(line) }
    }

    func recent(limit: Int) -> [String] {
        guard limit > 0 else { return [] }
        return queue.sync {
            let latest = Self.lines(of: file).suffix(limit)
            if latest.count == limit { return latest.map(String.init) }
            return (Self.lines(of: previous).suffix(limit - latest.count) + latest).map(String.init)
        }
    }

    /// Returns when all earlier lines have been written or lost.
    func flush() async {
        await withCheckedContinuation { done in queue.async { done.resume() } }
    }

    private func write(_ line: String) {
        let complaint: String? = state.withLock { state in
            do {
                let before =
                    state.lost == 0
                    ? "" : LogLine(.warning, "\(state.lost) lines before this one were lost").text + "\n"
                try append(before + line + "\n", &state)
                state.lost = 0
                return nil
            } catch {
                // The next line opens the file again.
                try? state.handle?.close()
                defer { (state.handle, state.lost, state.isReported) = (nil, state.lost + 1, true) }
                return state.isReported ? nil : words(for: error)
            }
        }
        if let complaint { complain(complaint) }
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

    private func append(_ text: String, _ state: inout State) throws {
        // Someone may have deleted the file to free the disk.
        let exists = FileManager.default.fileExists(atPath: file.path)
        if !exists {
            _ = FileManager.default.createFile(
                atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        if !exists || state.handle == nil {
            try? state.handle?.close()
            state.handle = nil
            let handle = try FileHandle(forWritingTo: file)
            (state.handle, state.size) = (handle, try handle.seekToEnd())
        }
        try state.handle?.write(contentsOf: Data(text.utf8))
        state.size += UInt64(text.utf8.count)
        // A failed rotation is ignored, because the line has been written: the file just keeps growing.
        if state.size >= Self.sizeLimit { try? rotate(&state) }
    }

    private func rotate(_ state: inout State) throws {
        if FileManager.default.fileExists(atPath: previous.path) {
            try FileManager.default.removeItem(at: previous)
        }
        try FileManager.default.moveItem(at: file, to: previous)
        try? state.handle?.close()
        state.handle = nil
    }
}
