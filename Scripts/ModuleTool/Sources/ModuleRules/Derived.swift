import Synchronization

/// A value that several rules derive from a tree, such as the apps that it links. It is computed at the first use, and
/// kept in the context. If the computation throws, each use throws the same error.
package protocol Derived: SendableMetatype {
    associatedtype Value: Sendable

    static func value(in context: RuleContext) throws -> Value
}

/// The derived values of one context, by their keys.
///
/// All operations are thread-safe. A value may use other derived values.
final class DerivedValues: Sendable {
    private let all = Mutex<[ObjectIdentifier: any Sendable]>([:])

    func value<Key: Derived>(of key: Key.Type, in context: RuleContext) throws -> Key.Value {
        let lazy = all.withLock { all in
            let lazy = all[ObjectIdentifier(key)] as? Lazy<Key.Value> ?? Lazy { try key.value(in: context) }
            all[ObjectIdentifier(key)] = lazy
            return lazy
        }
        return try lazy.value
    }
}
