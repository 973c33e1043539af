// Builders that keep what they build. ApiCenter itself keeps nothing (seeds/1-ApiCenter.md: the IMP sees to
// its own caching), so these are plain functions from a builder to a builder.

/// A builder that builds at the first call and returns the same value ever after.
///
/// ```swift
/// center.registerApi(type: JourneyApiProtocol.self, impBuilder: once { JourneyService() })
/// ```
///
/// - Exactly once, whoever races: other threads that ask meanwhile wait for the one that builds. Values that
///   need each other in a circle stop the process with the chain in the message, from two threads too.
/// - Inside ``ApiCenter/withOverrides(_:operation:)-(_,()->Result)`` it builds once more for that scope, and
///   what it builds there is never seen outside.
/// - The value lives as long as this builder, normally its registration; registered in two centers, one
///   builder has one value for both. It should hold a center `unowned`, or they keep each other.
///
/// Safe from every thread. A call after the first costs one atomic load more than the value itself.
public func once<T: Sendable>(
    _ build: @escaping @Sendable () -> T, fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (ApiCenter) -> T {
    once({ _ in build() }, fileID: fileID, line: line)
}

/// `once` with a builder that is handed the center it is asked from.
public func once<T: Sendable>(
    _ build: @escaping @Sendable (ApiCenter) -> T, fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (ApiCenter) -> T {
    let cell = OnceCell(site: CallSite(fileID: fileID, line: line), build: build)
    return { center in cell.value(for: center) }
}

/// A builder whose value lives as long as somebody holds it: asked again after the last holder let go, it
/// builds again. The value must be an object of a class.
///
/// Everything else is as with `once`: one object at a time, whoever races, and one for each
/// scope of overrides. A value that is no object could not be held weakly; it stops the process, saying so.
///
/// Source: seeds/4-LayeredComponents.md, `weakSingleton`.
public func weakSingleton<T: Sendable>(
    _ build: @escaping @Sendable () -> T, fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (ApiCenter) -> T {
    weakSingleton({ _ in build() }, fileID: fileID, line: line)
}

/// `weakSingleton` with a builder that is handed the center it is asked from.
public func weakSingleton<T: Sendable>(
    _ build: @escaping @Sendable (ApiCenter) -> T, fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (ApiCenter) -> T {
    let cell = WeakCell(site: CallSite(fileID: fileID, line: line), build: build)
    return { center in cell.value(for: center) }
}

/// A builder that runs on the main actor, for a `@MainActor` IMP.
///
/// ```swift
/// center.registerApi(type: ScreenApiProtocol.self, impBuilder: onMain { ScreenService() })
/// ```
///
/// Whoever asks for the Api must be on the main actor, where `MainActor.assumeIsolated` would go on; elsewhere
/// the process stops, and when a task asked it says so. The Api has to be declared
/// `@MainActor protocol ScreenApiProtocol: Sendable`, since only then is `any` of it Sendable.
///
/// Combines with the others: `once(onMain { ScreenService() })`.
public func onMain<T: Sendable>(
    _ build: @escaping @MainActor @Sendable () -> T, fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (ApiCenter) -> T {
    onMain({ _ in build() }, fileID: fileID, line: line)
}

/// The same with a builder that is handed the center it is asked from.
public func onMain<T: Sendable>(
    _ build: @escaping @MainActor @Sendable (ApiCenter) -> T,
    fileID: StaticString = #fileID, line: UInt = #line
) -> @Sendable (ApiCenter) -> T {
    { center in
        // The runtime checks as well, but on Linux it stops without a message.
        if MainCaller.isElsewhere {
            fatalError(
                """
                \(String(reflecting: T.self)) is built on the main actor and was asked for elsewhere. Ask from \
                @MainActor code, or hop there first: await MainActor.run { center.api(type: ...) }.
                """, file: fileID, line: line)
        }
        return MainActor.assumeIsolated { build(center) }
    }
}
