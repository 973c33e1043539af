/// Stands in for CTMediator: calls by the names of a target and an action, with plain parameters.
public final class OldMediator {
    nonisolated(unsafe) public static let sharedInstance = OldMediator()

    private var targets: [String: ([String: Any]) -> Any?] = [:]

    /// What CTMediator finds in the runtime by itself.
    public func add(_ target: String, action: String, _ perform: @escaping ([String: Any]) -> Any?) {
        targets["\(target)/\(action)"] = perform
    }

    public func performTarget(_ target: String, action: String, params: [String: Any]) -> Any? {
        targets["\(target)/\(action)"]?(params)
    }
}
