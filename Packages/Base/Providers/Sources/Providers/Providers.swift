import Locking

/// A set of providers of one interface `P`, for callers that know only the interface.
///
/// ```swift
/// let loggers = Providers<LoggerApiProtocol>(tag: { network.isSlow ? "slow" : "fast" })
/// loggers.add(FileLogger(), tags: ["slow"])
/// loggers.add(RemoteLogger(), tags: ["fast"])
/// loggers.pick()?.log("one of them")
/// loggers.callAll { $0.log("each of them") }
/// ```
///
/// ``pick(where:)`` and `firstSuccess` use the providers that satisfy the injected condition, by descending
/// priority; providers of equal priority are used in the order they were added. `callAll` calls all providers in
/// the order they were added, regardless of the condition and the priorities.
///
/// All operations are thread-safe. Providers and conditions are called outside the lock, so they may use this
/// set. A call uses the providers that are in the set when it begins, even if they are removed during the call.
///
/// Source: seed 3.
public final class Providers<P: Sendable>: Sendable {
    /// Reads some state, such as the quality of the network, and returns a function that tests a provider
    /// against this state. The condition is called once per choice, on the choosing thread, so all candidates are
    /// tested against the same state.
    ///
    /// Source: seed 3, "多个底层接口提供方，按需调用其中1个".
    public typealias Condition = @Sendable () -> (Provider<P>) -> Bool

    @usableFromInline
    struct Contents: Sendable {
        /// The providers in the order they were added.
        @usableFromInline var added: [Provider<P>] = []
        /// The providers by descending priority; for equal priorities, in the order they were added.
        @usableFromInline var ranked: [Provider<P>] = []
    }

    // Methods that only read are @inlinable, so that the compiler specialises them for the caller's
    // interface. Measured in a release build with three providers: without @inlinable, pick() takes 390 ns
    // instead of 46, and callAll 1,180 ns instead of 135. callAll reads `all`, which is @inlinable for this reason.
    @usableFromInline let contents = Locked(Contents())
    @usableFromInline let condition: Condition?

    /// Creates an empty set.
    ///
    /// - Parameter condition: Decides which providers may be used; without a condition, all may be used.
    public init(condition: Condition? = nil) { self.condition = condition }

    /// Creates an empty set whose injected condition requires the tag that the closure returns.
    public convenience init(tag: @escaping @Sendable () -> String) {
        self.init {
            let tag = tag()
            return { $0.tags.contains(tag) }
        }
    }

    /// Adds a provider. An object that is added twice is called twice.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - tags: Words that conditions can test, preferably constants from the Api package.
    ///   - priority: The provider's rank among matching providers. The highest priority comes first.
    ///   - fileID: The caller's file, for error messages.
    ///   - line: The caller's line, for error messages.
    /// - Returns: The handle for removing the provider.
    ///
    /// Complexity: O(*n*) in the number of providers.
    @discardableResult
    public func add(
        _ provider: P, tags: [String] = [], priority: Int = 0,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ProviderHandle {
        let handle = ProviderHandle(
            type: Swift.type(of: provider as Any), tags: tags, priority: priority, site: "\(fileID):\(line)")
        let new = Provider(implementation: provider, handle: handle)
        contents.withLock {
            $0.added.append(new)
            $0.ranked.insert(new, at: $0.ranked.firstIndex { $0.priority < priority } ?? $0.ranked.endIndex)
        }
        return handle
    }

    /// Removes a provider. The provider's deinitialiser may use this set.
    ///
    /// - Returns: Whether the provider was in the set; false if it was already removed or is in another set.
    ///
    /// Complexity: O(*n*) in the number of providers.
    @discardableResult
    public func remove(_ handle: ProviderHandle) -> Bool {
        let old = contents.withLock { contents in
            defer {
                contents.added.removeAll { $0.handle === handle }
                contents.ranked.removeAll { $0.handle === handle }
            }
            return contents
        }
        return old.added.contains { $0.handle === handle }
    }

    /// All providers in the order they were added, regardless of the condition.
    @inlinable public var all: [Provider<P>] { contents.withLock { $0.added } }

    /// The best provider that satisfies the injected condition and the caller's condition, or nil.
    ///
    /// - Parameter condition: The caller's own condition, which tests the tags or members of the interface. It should
    ///   not test for a class, because that would tie the caller to an IMP.
    ///
    /// Complexity: O(*n*) in the number of providers.
    @inlinable
    public func pick(where condition: (Provider<P>) -> Bool = { _ in true }) -> P? {
        let ranked = contents.withLock { $0.ranked }
        let injected = self.condition?()
        // The loop uses indices, because an iterator would copy every provider that it visits.
        for index in ranked.indices where injected?(ranked[index]) ?? true && condition(ranked[index]) {
            return ranked[index].implementation
        }
        return nil
    }
}
