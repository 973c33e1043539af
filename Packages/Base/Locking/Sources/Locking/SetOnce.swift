/// A value that is set once, after the object that holds it was created: for example what a module opens when it
/// prepares.
///
/// Thread-safe.
public final class SetOnce<Value: Sendable>: Sendable {
    private let locked = Locked(Value?.none)

    /// Creates an object without a value.
    public init() {}

    /// The value; nil until it is set.
    public var value: Value? { locked.withLock { $0 } }

    /// Sets the value. Stops the process if the value was set before.
    public func set(_ value: Value) {
        let isFirst = locked.withLock { current in
            defer { current = current ?? value }
            return current == nil
        }
        precondition(isFirst, "The value of this \(Self.self) was set twice.")
    }
}
