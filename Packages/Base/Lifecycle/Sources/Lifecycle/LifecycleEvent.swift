/// What happens to an app, and its modules are told of.
public enum LifecycleEvent: Sendable, Hashable, CustomStringConvertible {
    /// The app has started; every module is registered.
    case launch
    /// The app has come to the foreground.
    case active
    /// The app has gone to the background.
    case background
    /// The app was asked from outside to open a URL, here as it came.
    case openURL(String)
    /// The system is short of memory: let go of what can be made again.
    case memoryWarning
    /// The app ends. Goes out in reverse order, so that a module can still use those it comes after.
    case terminate
    /// An event of the app's own, with plain values.
    case custom(String, payload: [String: String] = [:])

    /// The event's name, and what it carries.
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
