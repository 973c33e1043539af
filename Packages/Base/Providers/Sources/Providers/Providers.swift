import Locking

/// The providers of one interface `P`: any number of them, in order, tagged and prioritised, for any number of
/// callers that know only the interface.
///
/// ```swift
/// let loggers = Providers<LoggerApiProtocol>(condition: .tagged { network.isSlow ? "slow" : "fast" })
/// loggers.add(FileLogger(), tags: ["slow"])
/// loggers.add(RemoteLogger(), tags: ["fast"])
/// loggers.pick()?.log("one of them")
/// loggers.callAll { $0.log("each of them") }
/// ```
///
/// - One of them: ``pick(where:)``, or `firstSuccess`, which goes on to the next when one fails. These take
///   only providers that fit the injected condition, and take the highest priority first; among equals the
///   one that was added first.
/// - All of them: `callAll`, in the order in which they were added, whatever the condition and the
///   priorities. One that fails does not keep the others from their call.
/// - One object can stand for all: a struct that conforms to `P` and forwards to this set, see README.md. It
///   must not be added to the set that it forwards to, or it would call itself without end.
/// - All operations are safe from every thread. Providers and conditions are called under no lock, on the
///   providers that were there when the call began: they may add, remove and call, this set included. A
///   provider that is removed may still be reached by calls that began before.
/// - What is removed is released when no call that began before is under way any more.
///
/// `P` is an interface that is Sendable, since its providers are called from every thread: a protocol that
/// says `: Sendable`.
///
/// Source: seeds/3-InterfaceOriented.md.
public final class Providers<P: Sendable>: Sendable {
    // All that reads is @inlinable, so that it is compiled for the caller's interface. Measured in release among
    // three providers: pick() takes 46 ns so, of which the lock is 43, and 390 ns without; callAll 135 and 1180.
    @usableFromInline let current: Locked<ProviderSnapshot<P>>

    /// A set with no providers.
    ///
    /// - Parameter condition: Which providers are fit for use; without one, all are.
    public init(condition: ProviderCondition<P>? = nil) {
        current = Locked(ProviderSnapshot(registered: [], ranked: [], condition: condition))
    }

    // MARK: Add and remove

    /// Adds a provider: itself, at its setup, or somebody else for it.
    ///
    /// The same object may be added twice; then it is there, and called, twice.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - tags: What it is good for, for conditions to ask: a few words, best constants in the Api package.
    ///   - priority: Of several that fit, the highest is used first.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    /// - Returns: What it can be removed by.
    ///
    /// Complexity: O(*n*) in the number of providers.
    @discardableResult
    public func add(
        _ provider: P, tags: [String] = [], priority: Int = 0,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ProviderHandle {
        let handle = ProviderHandle(
            type: Swift.type(of: provider as Any), tags: tags, priority: priority, fileID: fileID, line: line)
        replace { $0.adding(Provider(implementation: provider, handle: handle)) }
        return handle
    }

    /// Removes the provider that was added under this handle.
    ///
    /// - Returns: Whether it was there; false when it had been removed, or was added to another set.
    ///
    /// Complexity: O(*n*) in the number of providers.
    @discardableResult
    public func remove(_ handle: ProviderHandle) -> Bool {
        replace { $0.removing(handle) }
    }

    /// Removes every provider. The condition stays.
    public func removeAll() {
        replace { ProviderSnapshot(registered: [], ranked: [], condition: $0.condition) }
    }

    /// Injects the condition that decides which providers are fit for use, in place of the one there was;
    /// nil: all are. For a layer that is made before the state which the condition reads.
    public func setCondition(_ condition: ProviderCondition<P>?) {
        replace { ProviderSnapshot(registered: $0.registered, ranked: $0.ranked, condition: condition) }
    }

    // MARK: Ask

    /// All providers, in the order in which they were added, whether they fit the condition or not.
    public var all: [Provider<P>] { snapshot.registered }

    /// The best provider that fits the injected condition, and the caller's as well; nil when none does.
    ///
    /// - Parameter condition: The caller's own condition, on tags, or on what the interface tells. It should
    ///   not ask for a class: that ties the caller to an IMP.
    ///
    /// Complexity: O(*n*) in the number of providers.
    @inlinable
    public func pick(where condition: (Provider<P>) -> Bool = { _ in true }) -> P? {
        snapshot.best(where: condition)?.implementation
    }

    // MARK: Store

    /// What is here now. Reading it is all that happens under the lock.
    @inlinable
    var snapshot: ProviderSnapshot<P> { current.withLock { $0 } }

    /// Puts the next snapshot in place; nil: leaves it.
    @discardableResult
    private func replace(_ next: (ProviderSnapshot<P>) -> ProviderSnapshot<P>?) -> Bool {
        // Returned, so that the old one is released after the lock, not under it: a deinit may come back.
        let old: ProviderSnapshot<P>? = current.withLock { snapshot in
            guard let next = next(snapshot) else { return nil }
            defer { snapshot = next }
            return snapshot
        }
        return old != nil
    }
}
