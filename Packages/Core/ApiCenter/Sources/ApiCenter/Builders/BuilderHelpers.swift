// Functions that wrap a builder. The table of the center holds only builders (seed 1: an IMP does its own caching), so
// caching is a plain function from one builder to another.

/// Makes a builder that builds its value on the first call and returns the same value on every later call.
///
/// ```swift
/// center.registerApi(type: JourneyApiProtocol.self, impBuilder: once { JourneyService() })
/// ```
///
/// - The value is built exactly once: threads that request it at the same time wait for the thread that
///   builds it. Values that depend on each other in a cycle stop the process with a message that shows the
///   cycle, even if two threads are building the values. A builder that waits for a queue, a task or another thread
///   which requests the value waits for ever, without a message.
/// - If the builder throws, the calls that waited for it fail with the same error, and the next call builds again.
/// - Inside ``ApiCenter/withOverrides(_:operation:)-(_,()->Result)`` of the calling center, the value is built again for
///   the scope, and this second value is never returned outside the scope.
/// - The value lives as long as this builder, normally until the builder's registration is removed. Two centers that
///   register the same builder share its value. The value should hold a center as `weak let center: ApiCenter?`, to
///   avoid a retain cycle.
///
/// Thread-safe. After the first call, each call costs a copy of the value plus two atomic loads.
public func once<T: Sendable>(
    _ build: @escaping @Sendable () throws -> T, fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (ApiCenter) throws -> T { once({ _ in try build() }, fileID: fileID, line: line) }

/// The variant of `once` whose builder receives the calling center.
public func once<T: Sendable>(
    _ build: @escaping @Sendable (ApiCenter) throws -> T, fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (ApiCenter) throws -> T { ApiScope.once.wrap(build, CallSite(fileID: fileID, line: line)) }

/// Makes a builder whose value lives as long as any caller holds it. After the last holder has released the
/// value, the next call builds a new one.
///
/// If the builder requests an object of a session, the object ends with this session: the next call builds a new one,
/// even if a caller still holds the old one (see ``ApiScope/session(_:)``).
///
/// Otherwise, the rules of `once` apply: threads that request the object at the same time get the same one, and each scope
/// of overrides has its own object. The value must be an instance of a class; any other value stops the process with a
/// message.
///
/// Source: seed 4, `weakSingleton`.
public func weakSingleton<T: Sendable>(
    _ build: @escaping @Sendable () throws -> T, fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (ApiCenter) throws -> T { weakSingleton({ _ in try build() }, fileID: fileID, line: line) }

/// The variant of `weakSingleton` whose builder receives the calling center.
public func weakSingleton<T: Sendable>(
    _ build: @escaping @Sendable (ApiCenter) throws -> T, fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (ApiCenter) throws -> T { ApiScope.weak.wrap(build, CallSite(fileID: fileID, line: line)) }

/// Makes a builder that runs on the main actor, for a `@MainActor` IMP.
///
/// ```swift
/// center.registerApi(type: ScreenApiProtocol.self, impBuilder: onMain { ScreenService() })
/// ```
///
/// The caller must be on the main actor, where `MainActor.assumeIsolated` succeeds. Otherwise the process
/// stops; if the caller is a task, a message explains why. The Api must be declared `@MainActor protocol
/// ScreenApiProtocol: Sendable`, because only then is `any ScreenApiProtocol` Sendable.
///
/// Can be combined with `once` and `weakSingleton`: `once(onMain { ScreenService() })`.
public func onMain<T: Sendable>(
    _ build: @escaping @MainActor @Sendable () throws -> T, fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (ApiCenter) throws -> T { onMain({ _ in try build() }, fileID: fileID, line: line) }

/// The variant of `onMain` whose builder receives the calling center.
public func onMain<T: Sendable>(
    _ build: @escaping @MainActor @Sendable (ApiCenter) throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (ApiCenter) throws -> T {
    { center in
        // On Linux, `assumeIsolated` would stop the process without a message.
        if MainCaller.isElsewhere {
            fatalError(
                """
                \(String(reflecting: T.self)) is built on the main actor and was requested elsewhere. Ask \
                from @MainActor code, or hop to the main actor first: \
                await MainActor.run { center.api(type: ...) }.
                """, file: fileID, line: line)
        }
        return try MainActor.assumeIsolated { try build(center) }
    }
}
