import ApiCenter

/// A module that wraps another one and forwards every member that it does not declare itself.
///
/// ```swift
/// struct TimedModule: ModuleWrapper {
///     let wrapped: any Module
///     func prepare(in center: ApiCenter) async throws { try await time { try await wrapped.prepare(in: center) } }
/// }
/// ```
///
/// Protocols that the wrapped module conforms to, such as `LinkAnswering`, are found through the wrapper: see
/// ``Module/conformance(to:)``.
public protocol ModuleWrapper: Module {
    /// The module that is wrapped, which may be a wrapper too.
    var wrapped: any Module { get }
}

extension ModuleWrapper {
    /// The wrapped module's name.
    public var name: String { wrapped.name }

    /// The wrapped module's version.
    public var version: String { wrapped.version }

    /// The wrapped module's list.
    public var after: [String] { wrapped.after }

    /// Registers the wrapped module's Apis.
    public func register(in center: ApiCenter) throws { try wrapped.register(in: center) }

    /// Lets the wrapped module prepare.
    public func prepare(in center: ApiCenter) async throws { try await wrapped.prepare(in: center) }

    /// Lets the wrapped module handle the event.
    public func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await wrapped.handle(event, in: center)
    }
}

extension Module {
    /// Returns the module as a value of another protocol, such as `LinkAnswering`; if it does not conform and is a
    /// ``ModuleWrapper``, the wrapped module.
    ///
    /// - Parameter type: The protocol: `(any LinkAnswering).self`.
    /// - Returns: The outermost conforming module; nil if none conforms.
    public func conformance<Conformance>(to type: Conformance.Type) -> Conformance? {
        self as? Conformance ?? (self as? any ModuleWrapper)?.wrapped.conformance(to: type)
    }
}
