import ApiCenter
import Lifecycle
import LoggerApi
import Providers

/// Registers Logger: the combined logger, and the set of loggers, which other modules may extend. The
/// package's only public declaration.
public struct LoggerModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(LoggerService.self, scope: .once) { try LoggerService(center: $0) }
        center.register(LoggerApiProtocol.self) { try $0.requireApi(type: LoggerService.self) }
        center.register(Providers<LoggerApiProtocol>.self) {
            try $0.requireApi(type: LoggerService.self).loggers
        }
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
        if event == .background || event == .terminate {
            await center.api(type: LoggerService.self)?.flush()
        }
    }
}
