import Synchronization

/// A value that is made when it is first asked for, once for all rules; an error is kept likewise.
///
/// All operations are safe from every thread.
final class Shared<Value: Sendable>: Sendable {
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
