import LoggerApi
import Providers

/// Logger's IMP: all loggers as one. Its callers do not know that there are many.
struct AllLoggers: LoggerApiProtocol {
    let loggers: Providers<LoggerApiProtocol>

    // To each.
    func log(_ level: LogLevel, _ message: String) { loggers.callAll { $0.log(level, message) } }

    // Of the best one.
    func recent(limit: Int) -> [String] { loggers.pick()?.recent(limit: limit) ?? [] }
}
