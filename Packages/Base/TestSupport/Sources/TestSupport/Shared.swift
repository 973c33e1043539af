import Foundation

/// A value that the threads of a test share under a lock.
///
/// `@unchecked` is safe because every access holds the lock. A `Mutex` would be simpler, but ThreadSanitizer does
/// not support it.
public final class Shared<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var storage: Value

    /// Creates a shared value.
    public init(_ value: Value) { storage = value }

    /// The value. To compute the new value from the old one, use ``update(_:)``.
    public var value: Value {
        get { lock.withLock { storage } }
        set { lock.withLock { storage = newValue } }
    }

    /// Changes the value while no other thread can read or change it.
    public func update(_ change: (inout Value) -> Void) { lock.withLock { change(&storage) } }
}
