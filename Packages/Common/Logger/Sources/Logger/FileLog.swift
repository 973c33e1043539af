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
    private static let sizeLimit = 256 * 1024

    /// The open file, the number of lines lost since the last successful write, and whether a failure has been reported.
    private struct State {
        var handle: FileHandle?
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
                // A failed write may have left a part of its line.
                let before =
                    state.lost == 0
                    ? ""
                    : "\n" + LogLine(.warning, "\(state.lost) lines before this one were lost").text + "\n"
                try append(before + line + "\n", &state)
                state.lost = 0
                return nil
            } catch {
                // The next line opens the file again.
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
        // Someone may have deleted the file to free the disk, or another process of the app group may have rotated it.
        if state.handle.flatMap(Self.status)?.isSameFile(as: Self.status(of: file)) != true {
            // With O_APPEND, two processes do not overwrite each other's lines.
            let descriptor = unsafe open(file.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            state.handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
        try state.handle?.write(contentsOf: Data(text.utf8))
        // A failed rotation is ignored, because the line has been written: the file just keeps growing.
        if let handle = state.handle, let size = Self.status(handle)?.st_size, size >= Self.sizeLimit {
            Self.rotate(handle, at: file, to: previous)
        }
    }

    private static func status(_ handle: FileHandle) -> stat? {
        var status = stat()
        return unsafe fstat(handle.fileDescriptor, &status) == 0 ? status : nil
    }

    private static func status(of file: URL) -> stat? {
        var status = stat()
        return unsafe stat(file.path, &status) == 0 ? status : nil
    }

    /// Renames the open file, unless another process of the app group renames it or has renamed it: the names may then
    /// already belong to a new file, and to the one that is open here. The processes lock the file itself, without waiting.
    static func rotate(_ handle: FileHandle, at file: URL, to previous: URL) {
        guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        defer { flock(handle.fileDescriptor, LOCK_UN) }
        guard status(handle)?.isSameFile(as: status(of: file)) == true else { return }
        _ = unsafe rename(file.path, previous.path)
    }
}

extension stat {
    fileprivate func isSameFile(as other: stat?) -> Bool {
        other.map { $0.st_dev == st_dev && $0.st_ino == st_ino } ?? false
    }
}
