import Locking
import LoggerApi

/// A logger that keeps the latest lines in memory.
final class RecentLog: LoggerApiProtocol {
    private static let capacity = 200

    private let lines = Locked<[String]>([])

    func log(_ level: LogLevel, _ message: String) {
        let line = LogLine(level, message).text
        lines.withLock { lines in
            lines.append(line)
            // Removing half of the lines at a time makes the amortised cost of appending a line constant.
            if lines.count > 2 * Self.capacity { lines.removeFirst(Self.capacity) }
        }
    }

    func recent(limit: Int) -> [String] { lines.withLock { $0.suffix(min(max(0, limit), Self.capacity)) } }
}
