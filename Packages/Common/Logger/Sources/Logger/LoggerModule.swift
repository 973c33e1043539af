import ApiCenter
import Foundation
import Lifecycle
import LoggerApi
import Providers
import Storage

/// Registers Logger: all loggers as one, and the set of them, to which others may add. The package's only public
/// declaration.
public struct LoggerModule: Module {
    public let version = "1.0.4"

    public init() {}

    public func register(in center: ApiCenter) throws {
        let loggers = Providers<LoggerApiProtocol>()
        loggers.add(RecentLog(), priority: 1)
        if let folder = try center.requireApi(type: Storage.self).folder {
            loggers.add(FileLog(folder: folder))
        }
        center.registerApi(type: Providers<LoggerApiProtocol>.self) { loggers }
        center.registerApi(type: LoggerApiProtocol.self) { AllLoggers(loggers: loggers) }
    }

    /// Writes down what happens to the app.
    public func handle(_ event: LifecycleEvent, in center: ApiCenter) async {
        let message: String? =
            switch event {
            case .launch: "The app has started"
            // Not which: it may hold a secret.
            case .openURL: "The app was asked to open a URL"
            case .terminate: "The app ends"
            case .active, .background, .memoryWarning, .custom: nil
            }
        if let message { center.api(type: LoggerApiProtocol.self)?.log(.info, message) }
    }
}
