import ApiCenter
import LoggerApi
import Providers
import Storage

/// Logger's IMP: combines all loggers into one, so that callers need not know the individual loggers. One object, shared
/// by all callers.
final class LoggerService: LoggerApiProtocol {
    let loggers = Providers<LoggerApiProtocol>()
    /// Nil if the app's data is in memory.
    private let file: FileLog?

    /// - Throws: `ApiError`.
    init(center: ApiCenter) throws {
        file = try center.requireApi(type: Storage.self).folder.map(FileLog.init)
        loggers.add(RecentLog(), priority: 1)
        if let file { loggers.add(file) }
    }

    /// Writes the line to every logger.
    func log(_ level: LogLevel, _ message: String) { loggers.callAll { $0.log(level, message) } }

    /// Returns the latest lines of the logger with the highest priority.
    func recent(limit: Int) -> [String] { loggers.pick()?.recent(limit: limit) ?? [] }

    /// Waits until all earlier lines are in the file, or lost.
    func flush() async { await file?.flush() }
}
