/// An event in the lifecycle of an app, which the app sends to its modules.
public enum LifecycleEvent: Sendable, Hashable, CustomStringConvertible {
    /// The app has started; every module is registered.
    case launch
    /// The app has come to the foreground.
    case active
    /// The app has gone to the background.
    case background
    /// The system or another app asked this app to open a URL. The URL is passed on unchanged.
    case openURL(String)
    /// The system is short of memory. Modules should release data that they can recreate.
    case memoryWarning
    /// The app is about to end. The modules get this event in reverse order, so that a module can still use the
    /// modules that precede it.
    ///
    /// A command-line program waits for the delivery before it exits. An app for iOS cannot: UIKit ends the process when
    /// `applicationWillTerminate` returns, and waits for no task, so most modules never hear of the event. It suits
    /// work that may be lost; data is saved when it changes, or on ``background``.
    case terminate
    /// An event that the app defines, with string values.
    case custom(String, payload: [String: String] = [:])

    /// The event's name, followed by its values, if any.
    public var description: String {
        switch self {
        case .launch: "launch"
        case .active: "active"
        case .background: "background"
        case .openURL(let url): "openURL(\(url))"
        case .memoryWarning: "memoryWarning"
        case .terminate: "terminate"
        case .custom(let name, let payload) where payload.isEmpty: name
        case .custom(let name, let payload):
            "\(name)(\(payload.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")))"
        }
    }
}
