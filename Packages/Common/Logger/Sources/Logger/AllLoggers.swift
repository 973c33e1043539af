import LoggerApi
import Providers

/// Logger's IMP: combines all loggers into one, so that callers need not know the individual loggers.
struct AllLoggers: LoggerApiProtocol {
    let loggers: Providers<LoggerApiProtocol>

    /// Writes the line to every logger.
    func log(_ level: LogLevel, _ message: String) { loggers.callAll { $0.log(level, message) } }

    /// Returns the latest lines of the logger with the highest priority.
    func recent(limit: Int) -> [String] { loggers.pick()?.recent(limit: limit) ?? [] }
}
