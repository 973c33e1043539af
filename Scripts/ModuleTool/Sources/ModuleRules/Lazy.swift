import Synchronization

/// A value that is computed on first use and shared by all rules. If the computation throws, the error is
/// stored too.
///
/// All operations are thread-safe.
final class Lazy<Value: Sendable>: Sendable {
    private let make: @Sendable () throws -> Value
    private let made = Mutex<Result<Value, any Error>?>(nil)

    init(_ make: @escaping @Sendable () throws -> Value) { self.make = make }

    var value: Value {
        get throws {
            try made.withLock { made in
                let result = made ?? Result { try make() }
                made = result
                return result
            }.get()
        }
    }
}
