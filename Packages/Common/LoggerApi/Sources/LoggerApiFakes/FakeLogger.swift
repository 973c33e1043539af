import LoggerApi
import Synchronization

/// A Logger for tests, which keeps the lines in memory without their times. Thread-safe.
public final class FakeLogger: LoggerApiProtocol {
    private let lines = Mutex<[String]>([])

    /// Creates a Logger without lines.
    public init() {}

    public func log(_ level: LogLevel, _ message: String) {
        lines.withLock { $0.append("\(level.rawValue) \(message)") }
    }

    public func recent(limit: Int) -> [String] { lines.withLock { $0.suffix(max(0, limit)) } }
}
