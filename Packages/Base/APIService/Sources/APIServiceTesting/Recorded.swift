import Foundation

/// A value that any thread can read and write.
///
/// Unchecked, because the lock protects every access to the value.
public final class Recorded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    /// Creates a box with this value.
    public init(_ value: Value) { stored = value }

    /// The current value.
    public var value: Value { lock.withLock { stored } }

    /// Changes the value atomically and returns the closure's result.
    @discardableResult
    public func update<Result>(_ change: (inout Value) -> Result) -> Result {
        lock.withLock { change(&stored) }
    }
}
