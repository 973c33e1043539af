import ApiCenter
import Locking
import Synchronization

/// The links of an app. Routes and Mediator are two ways to find them, and both call them through the table.
///
/// ```swift
/// let table = LinkTable()
/// let routes = Routes(on: table), mediator = Mediator(on: table)
/// try table.install(HomeModule().links(in: center))
/// let page = try await table.open("app://home_vc")
/// ```
///
/// A table has one guard, one not-found handler and any number of observers, for routes and actions alike. All operations
/// are thread-safe. Handlers and the functions that the app sets are called outside the locks, so they may call, add and
/// remove links. A call uses the links that are installed when it begins. Source: seeds 2 and 4.
public final class LinkTable: Sendable {
    /// The app's functions.
    struct Hooks: Sendable {
        var check: (@Sendable (LinkCall) -> String?)?
        var notFound: (@Sendable (LinkCall, LinkError) throws -> (any Sendable)?)?
        var observers: [LinkObservation] = []
    }

    let lockedHooks = Locked(Hooks())
    /// False until the app sets a function, so that a call of a table without any takes no lock for them.
    let hasHooks = Atomic(false)

    /// The finders, in the order of their kinds.
    private let finders = Locked([any LinkFinder]())

    /// Creates a table without links and finders.
    public init() {}

    /// The table's finder for links of a kind: the one that it has, or a new one.
    ///
    /// - Parameter make: Makes the finder.
    /// - Precondition: A table has one finder for each kind, whose type never changes.
    public func finder<Finder: LinkFinder>(_ make: () -> Finder) -> Finder {
        let new = make()
        let finder = finders.withLock { finders in
            if let earlier = finders.first(where: { $0.kind == new.kind }) { return earlier }
            finders.insert(new, at: finders.firstIndex { $0.kind > new.kind } ?? finders.endIndex)
            return new
        }
        guard let finder = finder as? Finder else {
            preconditionFailure(
                "The table finds each \(new.kind) with \(type(of: finder)), not with \(Finder.self).")
        }
        return finder
    }

    /// Installs a module's links, or none of them if one is invalid or conflicts with another. No call sees a part of them.
    ///
    /// - Parameter links: The module's links, routes and actions.
    /// - Throws: ``LinkError`` with `badPattern`, `emptyName` or `conflict`; with `noFinder` if neither Routes nor Mediator
    ///   was made on this table for links of such a kind.
    public func install(_ links: [Link]) throws(LinkError) {
        let finders = finders.withLock { $0 }
        for link in links where !finders.contains(where: { $0.kind == link.name.kind }) {
            throw LinkError(.noFinder, name: link.name)
        }
        try add(links, to: finders[...])
    }

    private func add(_ links: [Link], to finders: ArraySlice<any LinkFinder>) throws(LinkError) {
        guard let finder = finders.first else { return }
        try finder.add(links.filter { $0.name.kind == finder.kind }) { () throws(LinkError) in
            try add(links, to: finders.dropFirst())
        }
    }

    /// Opens a URL that the system, a browser or another app handed to this app: calls the route that matches it, or the
    /// action that it names if no route matches.
    ///
    /// Only links that are written `from: .outside` answer. The guard, the observers and the not-found handler hear of
    /// one call.
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`.
    ///   - options: What the system passed with the URL. The handler gets it as `@options`.
    ///   - fileID: The caller's file, for the observers.
    ///   - line: The caller's line, for the observers.
    /// - Returns: The link's value, such as a page.
    /// - Throws: ``LinkError``, or an action's own error. If neither a route nor an action is found, the error is the first
    ///   of these that applies: a route's parameter does not accept its text, a name differs in case alone, nothing
    ///   matches.
    @discardableResult
    public func open(
        _ url: some URLText, options: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> (any Sendable)? {
        try call(LinkCall(opening: url.urlText, options: options, fileID: fileID, line: line), find: search)
    }

    /// Opens a URL from outside the app. The link's handler may be async, or run on the main actor.
    @discardableResult
    public nonisolated(nonsending) func open(
        _ url: some URLText, options: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> (any Sendable)? {
        try await call(
            LinkCall(opening: url.urlText, options: options, fileID: fileID, line: line), find: search)
    }

    /// Looks a URL from outside up, and returns the call of its handler, for an app that opens several URLs in order.
    ///
    /// - Returns: Calls the handler, and ends the call for the observers. Call it once.
    /// - Throws: ``LinkError`` if the call finds no link or is refused, or the error of the not-found handler.
    public func find(
        _ url: some URLText, options: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> @Sendable () async throws -> (any Sendable)? {
        try found(
            LinkCall(opening: url.urlText, options: options, fileID: fileID, line: line), find: search)
    }

    private func search(_ call: LinkCall) throws(LinkError) -> FoundLink {
        var failure: LinkError?
        for finder in finders.withLock({ $0 }) {
            do { return try finder.find(call) } catch {
                if failure.map({ error.exactness > $0.exactness }) ?? true { failure = error }
            }
        }
        throw failure ?? LinkError(.noMatch, url: call.requested)
    }

    /// Sets the guard of all calls, from inside and outside the app. It is asked after a link is found and before its
    /// handler runs; ``LinkCall/origin`` tells where the call comes from.
    ///
    /// - Parameter check: Returns nil to allow the call, or the reason to deny it, as text for the error. Nil removes
    ///   the current guard.
    public func setGuard(_ check: (@Sendable (LinkCall) -> String?)?) { change { $0.check = check } }

    /// Sets the handler of calls that find no link.
    ///
    /// - Parameter handler: Gets the call, and the error that the caller would get without the handler. Its value or
    ///   error becomes the result of the call. Nil removes the current handler.
    public func setNotFound(_ handler: (@Sendable (LinkCall, LinkError) throws -> (any Sendable)?)?) {
        change { $0.notFound = handler }
    }

    /// Adds an observer of all calls.
    ///
    /// - Returns: The observation, for ``removeObserver(_:)``. The table keeps it.
    @discardableResult
    public func addObserver(_ observe: @escaping LinkObserver) -> LinkObservation {
        let observation = LinkObservation(observe)
        change { $0.observers.append(observation) }
        return observation
    }

    /// Removes an observer. A call that has begun still tells it how it ended.
    public func removeObserver(_ observation: LinkObservation) {
        change { $0.observers.removeAll { $0 === observation } }
    }

    private func change(_ change: (inout Hooks) -> Void) {
        // The old functions are released outside the lock, because releasing them may run the app's deinitialisers.
        let old = lockedHooks.withLock { hooks in
            defer { change(&hooks) }
            return hooks
        }
        hasHooks.store(true, ordering: .releasing)
        _ = consume old
    }
}

/// Observes the calls of a table, for a log or a trace.
///
/// The observer runs when a call begins: after the link was found, and before the guard or the handler runs. It returns a
/// function that runs when the call ends, with the error that the caller gets, or nil. A call that finds no link begins
/// and ends too. A value that is not of the type that the caller asked for with `as:` counts as a success. Both functions
/// run on the caller's thread without a lock, possibly on several threads at once.
public typealias LinkObserver = @Sendable (LinkCall) -> @Sendable ((any Error)?) -> Void

/// One observer of a ``LinkTable``.
public final class LinkObservation: Sendable {
    let observe: LinkObserver

    init(_ observe: @escaping LinkObserver) { self.observe = observe }
}

/// A way to find the links of one kind. Routes and Mediator each have one.
///
/// A finder is thread-safe, and calls no code of the app under its lock.
public protocol LinkFinder: AnyObject, Sendable {
    /// The kind of links that the finder finds.
    var kind: Link.Kind { get }

    /// Adds links, or none of them.
    ///
    /// - Parameters:
    ///   - links: Links of the finder's kind.
    ///   - others: Adds the same module's links of other kinds. The finder calls it under its lock, between the checks of
    ///     `links` and their addition. If it throws, nothing is added.
    /// - Throws: ``LinkError``.
    func add(_ links: [Link], with others: () throws(LinkError) -> Void) throws(LinkError)

    /// Finds the link for a call.
    ///
    /// - Throws: ``LinkError`` that says why no link was found.
    func find(_ call: LinkCall) throws(LinkError) -> FoundLink
}

/// One entry in a list of installed links.
public struct LinkListing: Hashable, Sendable {
    /// The link's name.
    public let name: Link.Name
    /// The callers that may reach the link.
    public let callers: Link.Callers
    /// Whether the link is only declared, because its module is not in the app.
    public let isAbsent: Bool
    /// The file and line of the link.
    public let site: CallSite

    /// Creates the entry of a link.
    public init(_ link: Link) {
        (name, callers, site) = (link.name, link.callers, link.site)
        isAbsent = link.absentModule != nil
    }
}
