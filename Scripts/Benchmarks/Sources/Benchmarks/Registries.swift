import Synchronization

/// The registry of seed 1: a dictionary keyed by the type's name, and a cast.
final class SeedCenter {
    private var registerMap: [String: () -> Any] = [:]

    func registerApi<T>(type: T.Type, impBuilder: @escaping () -> T) {
        let name = "\(T.self)"
        assert(registerMap[name] == nil, "\(name) is registered already")
        registerMap[name] = impBuilder
    }

    @inline(never)
    func api<T>(type: T.Type) -> T? { registerMap["\(T.self)"]?() as? T }
}

/// A straightforward thread-safe registry: a dictionary under a lock, and a cast.
final class MutexCenter: Sendable {
    private let builders = Mutex<[ObjectIdentifier: @Sendable () -> Any]>([:])

    func registerApi<T>(type: T.Type, impBuilder: @escaping @Sendable () -> T) {
        builders.withLock { $0[ObjectIdentifier(T.self)] = impBuilder }
    }

    @inline(never)
    func api<T>(type: T.Type) -> T? { builders.withLock { $0[ObjectIdentifier(T.self)] }?() as? T }
}
