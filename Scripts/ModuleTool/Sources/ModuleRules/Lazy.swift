import Synchronization

/// A value that is computed on first use and shared by all rules. If the computation throws, the error is
/// stored too.
///
/// All operations are thread-safe.
package final class Lazy<Value: Sendable>: Sendable {
    private enum State {
        case waiting(@Sendable () throws -> Value)
        case made(Result<Value, any Error>)
    }

    private let state: Mutex<State>

    package init(_ make: @escaping @Sendable () throws -> Value) { state = Mutex(.waiting(make)) }

    package var value: Value {
        get throws {
            try state.withLock { state in
                let result =
                    switch state {
                    case .waiting(let make): Result { try make() }
                    case .made(let result): result
                    }
                // Releases what the computation holds, such as a context that contains this value.
                state = .made(result)
                return result
            }.get()
        }
    }
}
