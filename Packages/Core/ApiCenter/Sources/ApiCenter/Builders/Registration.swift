/// The lifetime of an IMP: an argument of
/// ``ApiCenter/register(_:scope:impBuilder:fileID:line:)-(_,_,(ApiCenter)->T,_,_)``.
///
/// ``once`` and ``weak`` require a `Sendable` Api, because callers on different threads get the same
/// object.
public struct ApiScope<T>: Sendable {
    typealias Builder = @Sendable (ApiCenter) throws -> T

    /// Whether a module host builds the IMP before its module prepares.
    var isOnce = false
    /// Whether the builder runs on the main actor, or may be one that does.
    var isOnMain = false

    /// Turns the builder that a module registers into the builder that the center stores.
    let wrap: @Sendable (_ build: @escaping Builder, _ site: CallSite) -> Builder

    /// A new IMP on every call.
    public static var each: ApiScope { ApiScope { build, _ in build } }
}

extension ApiScope where T: Sendable {
    /// Always the same IMP, built on the first call. The rules of the function `once` apply.
    public static var once: ApiScope { ApiScope(isOnce: true) { OnceCell(site: $1, build: $0).value(for:) } }

    /// The same object as long as any caller holds it, then a new one. The rules of the function `weakSingleton`
    /// apply.
    public static var weak: ApiScope { ApiScope { WeakCell(site: $1, build: $0).value(for:) } }
}

/// The lifetime of an IMP that is built on the main actor.
///
/// This is a separate type because Swift cannot choose between overloads that differ only in a closure's actor.
public struct MainApiScope<T: Sendable>: Sendable {
    let scope: ApiScope<T>

    /// A new IMP on every call, built on the main actor. The rules of the function `onMain` apply.
    public static var main: MainApiScope { .main(.each) }

    /// An IMP that is built on the main actor, with the lifetime `scope`: `.main(.once)`.
    public static func main(_ scope: ApiScope<T>) -> MainApiScope {
        MainApiScope(scope: ApiScope(isOnce: scope.isOnce, isOnMain: true, wrap: scope.wrap))
    }
}

extension ApiCenter {
    /// Registers the builder of the one IMP of `type`, and sets the lifetime of the IMP.
    ///
    /// ```swift
    /// center.register(RideApiProtocol.self, scope: .once) { RideService(center: $0) }
    /// ```
    ///
    /// The builder receives the center that calls it, so it need not capture one. A second registration of the
    /// same type stops the process, as in ``registerApi(type:impBuilder:fileID:line:)-(_,()->T,_,_)``.
    ///
    /// - Parameters:
    ///   - type: The Api's protocol.
    ///   - scope: The lifetime of the IMP; by default, every call gets a new IMP.
    ///   - impBuilder: Builds an IMP, on the caller's thread. If it throws, ``api(type:fileID:line:)`` returns nil, and
    ///     ``requireApi(type:fileID:line:)`` throws an ``ApiError`` with the cause.
    ///   - fileID: The caller's file, for error messages.
    ///   - line: The caller's line, for error messages.
    public func register<T>(
        _ type: T.Type, scope: ApiScope<T> = .each, impBuilder: @escaping @Sendable (ApiCenter) throws -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) { store(scope, impBuilder, replacing: false, fileID, line) }

    /// Registers a builder that does not need the center.
    public func register<T>(
        _ type: T.Type, scope: ApiScope<T> = .each, impBuilder: @escaping @Sendable () throws -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) { register(type, scope: scope, impBuilder: { _ in try impBuilder() }, fileID: fileID, line: line) }

    /// Registers a builder that runs on the main actor, for a `@MainActor` IMP.
    ///
    /// ```swift
    /// center.register(ScreenApiProtocol.self, scope: .main) { ScreenService(center: $0) }
    /// ```
    ///
    /// Callers must be on the main actor too. The rules of the function `onMain` apply.
    public func register<T>(
        _ type: T.Type, scope: MainApiScope<T>,
        impBuilder: @escaping @MainActor @Sendable (ApiCenter) throws -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        register(
            type, scope: scope.scope, impBuilder: onMain(impBuilder, fileID: fileID, line: line),
            fileID: fileID, line: line)
    }

    /// Registers a builder that runs on the main actor and does not need the center.
    public func register<T>(
        _ type: T.Type, scope: MainApiScope<T>, impBuilder: @escaping @MainActor @Sendable () throws -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) { register(type, scope: scope, impBuilder: { _ in try impBuilder() }, fileID: fileID, line: line) }

    /// Replaces the IMP of `type` with one that is built on the main actor. The rules of
    /// ``replaceApi(type:scope:impBuilder:fileID:line:)-(_,_,()->T,_,_)`` and of the function `onMain` apply.
    public func replaceApi<T>(
        type: T.Type, scope: MainApiScope<T>,
        impBuilder: @escaping @MainActor @Sendable (ApiCenter) throws -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        replaceApi(
            type: type, scope: scope.scope, impBuilder: onMain(impBuilder, fileID: fileID, line: line),
            fileID: fileID, line: line)
    }

    /// Replaces the IMP of `type` with a builder that runs on the main actor and does not need the center.
    public func replaceApi<T>(
        type: T.Type, scope: MainApiScope<T>, impBuilder: @escaping @MainActor @Sendable () throws -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        replaceApi(
            type: type, scope: scope, impBuilder: { _ in try impBuilder() }, fileID: fileID, line: line)
    }
}
