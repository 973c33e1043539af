import ApiCenter

/// A call on its way to a link, as finders, guards, observers and the not-found handler see it.
public struct LinkCall: Sendable {
    /// The URL, as its caller wrote it, or the name of a target.
    let text: String
    /// The action of the target; nil for a URL.
    let action: String?
    /// Whether the call comes from inside the app or from outside.
    public let origin: Link.Callers
    /// The file and line of the caller.
    public let caller: CallSite
    // The initialisers set all variables, none of which has a default value (as a `?` would give), because they would copy
    // the whole call otherwise: 260 instructions.
    /// The parsed URL; nil for a call without one, and in an observer for a text that is no URL.
    public private(set) var url: Optional<AppURL>
    /// The parameters that the handler gets. A finder and an observer see those that the caller passed, without those
    /// in the URL.
    public private(set) var parameters: Parameters
    private var isSuspect: Bool
    fileprivate var found: Optional<Link>

    /// Creates a call of a URL. A test of an observer passes the `link` that answers; calls set it when they have found it.
    public init(
        url text: String, parameters: [String: any Sendable], from origin: Link.Callers,
        fileID: StaticString, line: UInt, link: Link? = nil
    ) {
        (self.text, action, self.origin) = (text, nil, origin)
        (url, found, isSuspect) = (nil, link, false)
        (self.parameters, caller) = (Parameters(parameters), CallSite(fileID: fileID, line: line))
    }

    /// Creates a call of an action from inside the app.
    public init(
        target: String, action: String, parameters: [String: any Sendable], fileID: StaticString, line: UInt
    ) {
        (text, self.action, origin) = (target, action, .inside)
        (url, found, isSuspect) = (nil, nil, false)
        (self.parameters, caller) = (Parameters(parameters), CallSite(fileID: fileID, line: line))
    }

    /// Creates a call of a URL from outside the app. The handler gets the options, if any, as `@options`.
    public init(opening text: String, options: [String: any Sendable], fileID: StaticString, line: UInt) {
        let parameters: [String: any Sendable] = options.isEmpty ? [:] : ["@options": options]
        self.init(url: text, parameters: parameters, from: .outside, fileID: fileID, line: line)
    }

    /// What the caller asks for: the URL, or `target/action`.
    public var requested: String { action.map { "\(text)/\($0)" } ?? text }
    /// The action that the caller names; nil for a call of a URL.
    public var name: Link.Name? { action.map { .action(target: text, action: $0) } }
    /// The name of the link that answers; nil if none was found, and in a finder.
    public var link: Link.Name? { found?.name }
    /// The module that answers, or that would answer if it were in the app; nil if no link was found.
    public var module: String? { found?.module }

    fileprivate func error(_ reason: LinkError.Reason, underlying: (any Error)? = nil, _ name: Link.Name?)
        -> LinkError
    {
        LinkError(reason, name: name, url: name?.kind == .action ? nil : text, underlying: underlying)
    }

    /// Converts an error that a handler threw into the one for the caller.
    ///
    /// An error of a call of the handler's own keeps its name and its URL; one without both gets those of this call.
    fileprivate func forCaller(_ thrown: any Error, _ name: Link.Name?) -> any Error {
        switch thrown {
        case let thrown as LinkError:
            thrown.name == nil && thrown.url == nil
                ? error(thrown.reason, underlying: thrown.underlying, name) : thrown
        case let thrown as ParameterError: error(.badParameter(thrown), name)
        default: name?.kind == .route ? error(.handlerFailed, underlying: thrown, name) : thrown
        }
    }

    fileprivate mutating func parse() throws(LinkError) {
        var parser = AppURLParser(Array(text.utf8))
        do { url = try parser.parse() } catch { throw LinkError(.badURL(error), url: error.url) }
        isSuspect = parser.isSuspect
    }

    /// Adds the values that the finder read and those in the URL to the caller's parameters. The finder's values take
    /// precedence over the caller's, which take precedence over the query.
    ///
    /// From outside, a query item whose name begins with `@` is dropped, because the names of the table's own
    /// parameters do; one that is called `*` is dropped in every call, because only a pattern may set it.
    ///
    /// - Throws: ``LinkError`` with `badParameter` for text that a call from outside may not pass.
    fileprivate mutating func complete(
        _ values: consuming [String: any Sendable], _ name: Link.Name?
    ) throws(LinkError) {
        if origin == .outside, isSuspect, let unsafe = url?.unsafeText(in: values) {
            throw error(.badParameter(unsafe), name)
        }
        if !parameters.values.isEmpty { values.merge(parameters.values) { earlier, _ in earlier } }
        guard let url else { return parameters = Parameters(values) }
        if !url.query.isEmpty {
            let isInside = origin == .inside
            url.addQuery(to: &values) { $0 != "*" && (isInside || !AppURL.isReserved($0)) }
        }
        let pattern = name?.pattern
        if pattern == nil, name != nil {
            values["@url"] = text
        } else if let fragment = url.fragment {
            values["@fragment"] = fragment
        }
        parameters = Parameters(values, of: pattern)
    }
}

extension AppURL {
    /// Adds the items of the query whose names are accepted, and for which there is no value yet.
    func addQuery(to values: inout [String: any Sendable], where accepts: (String) -> Bool) {
        let given = values
        // The arrays are separate from `values`, so that they grow in place: a URL may repeat a name 30,000 times.
        var repeated: [String: [String]] = [:]
        for item in query where accepts(item.name) && given[item.name] == nil {
            guard let earlier = values.updateValue(item.value, forKey: item.name) as? String else { continue }
            repeated[item.name, default: [earlier]].append(item.value)
        }
        for (name, texts) in repeated { values[name] = texts }
    }
}

/// A link that a finder found for a call.
public struct FoundLink: Sendable {
    /// The link.
    public let link: Link
    /// The parameters in the name of the link, such as those of a path. Optional, because nil costs less than a dictionary.
    fileprivate var values: [String: any Sendable]?
    /// Makes the state for the call, or gets it from a cache. It runs after the guard.
    public let makeState: (@Sendable () -> any Sendable)?

    /// Creates a result of a finder.
    public init(
        _ link: Link, values: [String: any Sendable]? = nil, makeState: (@Sendable () -> any Sendable)? = nil
    ) {
        (self.link, self.values, self.makeState) = (link, values, makeState)
    }

    /// Moves the values out, so that the table can add to them without a copy.
    fileprivate mutating func takeValues() -> [String: any Sendable] {
        defer { values = nil }
        return values ?? [:]
    }
}

/// Tells the observers how a call ended.
private typealias Ends = [@Sendable ((any Error)?) -> Void]

extension LinkTable {
    /// Finds a link and calls it without waiting. Every call of a route or an action goes through this method or its
    /// async form.
    ///
    /// The observers hear of the call when its link was found. Then the table checks that the link is open to calls from
    /// this origin, and asks the guard. If no link was found, it asks the not-found handler instead.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - find: Finds the link, or throws the error of a call that finds none.
    /// - Returns: The handler's value.
    /// - Throws: ``LinkError`` if the call finds no link or is refused, or if a route's handler throws. An error that an
    ///   action's handler or the not-found handler throws is rethrown as it is; only a ``ParameterError`` becomes
    ///   `badParameter`.
    public func call(
        _ call: consuming LinkCall, find: (LinkCall) throws(LinkError) -> FoundLink
    ) throws -> (any Sendable)? {
        var ends: Ends = []
        let found: FoundLink
        do throws(LinkError) { found = try begin(&call, &ends, find) } catch {
            return try refused(&call, ends, error)
        }
        do {
            let value = try found.link.handler.call(Link.Call(call.parameters, state: found.makeState?()))
            for end in ends { end(nil) }
            return value
        } catch { throw ended(ends, call.forCaller(error, found.link.name)) }
    }

    /// Finds a link and calls it. The handler may be async, or run on the main actor; everything else runs on the
    /// caller's actor.
    public nonisolated(nonsending) func call(
        _ call: consuming LinkCall, find: (LinkCall) throws(LinkError) -> FoundLink
    ) async throws -> (any Sendable)? {
        var ends: Ends = []
        let found: FoundLink
        do throws(LinkError) { found = try begin(&call, &ends, find) } catch {
            return try refused(&call, ends, error)
        }
        return try await finish(call, found, ends)
    }

    /// Finds a link, and returns the rest of the call.
    func found(
        _ call: consuming LinkCall, find: (LinkCall) throws(LinkError) -> FoundLink
    ) throws -> @Sendable () async throws -> (any Sendable)? {
        var ends: Ends = []
        do throws(LinkError) {
            let found = try begin(&call, &ends, find)
            return { [call, ends] in try await self.finish(call, found, ends) }
        } catch {
            let value = try refused(&call, ends, error)
            return { value }
        }
    }

    private nonisolated(nonsending) func finish(
        _ call: consuming LinkCall, _ found: FoundLink, _ ends: Ends
    ) async throws -> (any Sendable)? {
        do {
            let value = try await found.link.handler.call(
                Link.Call(call.parameters, state: found.makeState?()))
            for end in ends { end(nil) }
            return value
        } catch { throw ended(ends, call.forCaller(error, found.link.name)) }
    }

    /// The app's functions; nil if it has set none.
    private var hooks: Hooks? { hasHooks.load(ordering: .acquiring) ? lockedHooks.withLock { $0 } : nil }

    /// Finds the link, tells the observers, checks the caller and the parameters, and asks the guard.
    private func begin(
        _ call: inout LinkCall, _ ends: inout Ends, _ find: (LinkCall) throws(LinkError) -> FoundLink
    ) throws(LinkError) -> FoundLink {
        let hooks = hooks
        var found: FoundLink
        do throws(LinkError) {
            if call.action == nil { try call.parse() }
            found = try find(call)
            if hooks != nil { call.found = found.link }
        } catch {
            ends = hooks?.observers.map { $0.observe(call) } ?? []
            throw error
        }
        if let hooks { ends = hooks.observers.map { $0.observe(call) } }
        let link = found.link
        if let module = link.absentModule { throw call.error(.absentModule(module), link.name) }
        if call.origin == .outside, link.callers == .inside { throw call.error(.localOnly, link.name) }
        if call.action == nil || found.values != nil { try call.complete(found.takeValues(), link.name) }
        if let reason = hooks?.check?(call) { throw call.error(.denied(reason), link.name) }
        return found
    }

    /// Ends a call that reaches no handler: with the value of the not-found handler if no link was found, and otherwise
    /// with the error.
    private func refused(
        _ call: inout LinkCall, _ ends: Ends, _ error: LinkError
    ) throws -> (any Sendable)? {
        guard error.isUnmatched, let notFound = hooks?.notFound else { throw ended(ends, error) }
        do {
            try call.complete([:], error.name)
            let value = try notFound(call, error)
            for end in ends { end(nil) }
            return value
        } catch { throw ended(ends, call.forCaller(error, call.name)) }
    }

    private func ended(_ ends: Ends, _ error: any Error) -> any Error {
        for end in ends { end(error) }
        return error
    }
}
