import ApiCenter
import Foundation
import Lifecycle
import Locking
import LoggerApi
import Providers
import Storage

/// Registers Logger: the combined logger, and the set of loggers, which other modules may extend. The
/// package's only public declaration.
public struct LoggerModule: Module {
    public let version = "1.0.0"

    /// The logger that writes to a file; without a value if the app's data is in memory.
    private let file = SetOnce<FileLog>()

    private let loggers = Providers<LoggerApiProtocol>()

    public init() { loggers.add(RecentLog(), priority: 1) }

    public func register(in center: ApiCenter) {
        center.register(Providers<LoggerApiProtocol>.self) { [loggers] in loggers }
        center.register(LoggerApiProtocol.self) { [loggers] in AllLoggers(loggers: loggers) }
    }

    /// Adds the logger that writes to a file. Earlier lines are in memory alone.
    public func prepare(in center: ApiCenter) async throws {
        guard let folder = try center.requireApi(type: Storage.self).folder else { return }
        let log = FileLog(folder: folder)
        file.set(log)
        loggers.add(log)
    }

    /// Logs that the app launches, opens a URL or terminates. Before the system may suspend or end the app, waits until
    /// all lines are in the file.
    public func handle(_ event: LifecycleEvent, in center: ApiCenter) async {
        let message: String? =
            switch event {
            case .launch: "The app has started"
            // The URL is left out, because it may contain a secret.
            case .openURL: "The app was asked to open a URL"
            case .terminate: "The app is shutting down"
            case .active, .background, .memoryWarning, .custom: nil
            }
        if let message { center.api(type: LoggerApiProtocol.self)?.log(.info, message) }
        if event == .background || event == .terminate { await file.value?.flush() }
    }
}
