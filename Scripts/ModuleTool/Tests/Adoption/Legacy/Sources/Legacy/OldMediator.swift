/// A stand-in for CTMediator: it calls actions by target name and action name, with untyped parameters.
public final class OldMediator {
    nonisolated(unsafe) public static let sharedInstance = OldMediator()

    private var targets: [String: ([String: Any]) -> Any?] = [:]

    /// Registers an action. CTMediator itself finds actions in the Objective-C runtime.
    public func add(_ target: String, action: String, _ perform: @escaping ([String: Any]) -> Any?) {
        targets["\(target)/\(action)"] = perform
    }

    public func performTarget(_ target: String, action: String, params: [String: Any]) -> Any? {
        targets["\(target)/\(action)"]?(params)
    }
}
