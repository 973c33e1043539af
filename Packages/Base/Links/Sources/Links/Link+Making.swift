// The compiler can distinguish a synchronous closure from an async closure, but cannot choose an overload by the
// closure's isolation. The main-actor overloads therefore take the main actor as an argument.

extension Link {
    /// Creates a route.
    ///
    /// - Parameters:
    ///   - pattern: The URL pattern, from a constant in the module's Api package.
    ///   - callers: Whether URLs from outside the app may reach the route.
    ///   - fileID: The caller's file, for error messages.
    ///   - line: The caller's line, for error messages.
    ///   - handler: Takes the parameters, and returns any value or nil.
    public static func route(
        _ pattern: String, from callers: Callers = .inside,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (Parameters) throws -> (any Sendable)?
    ) -> Link {
        Link(.route(pattern), callers, fileID, line, .sync { try handler($0.parameters) })
    }

    /// Creates a route with an async handler, which must be called with `await`.
    public static func route(
        _ pattern: String, from callers: Callers = .inside,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (Parameters) async throws -> (any Sendable)?
    ) -> Link {
        Link(.route(pattern), callers, fileID, line, .async { try await handler($0.parameters) })
    }

    /// Creates a route whose handler runs on the main actor (`on: MainActor.shared`), such as one that creates a page.
    /// Callers on the main actor get the value immediately; other callers need `await`.
    public static func route(
        _ pattern: String, from callers: Callers = .inside, on _: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @MainActor @Sendable (Parameters) throws -> (any Sendable)?
    ) -> Link {
        Link(.route(pattern), callers, fileID, line, .onMain { try handler($0.parameters) })
    }

    /// Declares a route of a module that is not in the app, so that calling it fails with `absentModule`.
    ///
    /// - Parameters:
    ///   - pattern: The URL pattern, from a constant in the module's Api package.
    ///   - module: The module's name.
    ///   - fileID: The caller's file, for error messages.
    ///   - line: The caller's line, for error messages.
    public static func route(
        _ pattern: String, ofAbsent module: String, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Link {
        let handler = Handler.sync { _ in throw LinkError.absentModule(module) }
        return Link(.route(pattern), .inside, fileID, line, absentModule: module, handler)
    }

    /// Creates an action of a target.
    ///
    /// An action named `notFound` also answers calls to actions that the target lacks.
    ///
    /// - Parameters:
    ///   - target: The target's name. A single module must answer all actions of a target. If URLs may reach an action,
    ///     the name must be a host: letters, digits, `-`, `_` and `.` of ASCII.
    ///   - action: The action's name.
    ///   - callers: Whether URLs from outside the app may reach the action.
    ///   - fileID: The caller's file, for error messages.
    ///   - line: The caller's line, for error messages.
    ///   - handler: Takes the parameters, and returns any value or nil.
    public static func action(
        _ target: String, _ action: String, from callers: Callers = .inside,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (Parameters) throws -> (any Sendable)?
    ) -> Link {
        Link(
            .action(target: target, action: action), callers, fileID, line,
            .sync { try handler($0.parameters) })
    }

    /// Creates an action with an async handler, which must be called with `await`.
    public static func action(
        _ target: String, _ action: String, from callers: Callers = .inside,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (Parameters) async throws -> (any Sendable)?
    ) -> Link {
        let name = Name.action(target: target, action: action)
        return Link(name, callers, fileID, line, .async { try await handler($0.parameters) })
    }

    /// Creates an action whose handler runs on the main actor (`on: MainActor.shared`). Callers on the main actor get
    /// the value immediately; other callers need `await`.
    public static func action(
        _ target: String, _ action: String, from callers: Callers = .inside, on _: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @MainActor @Sendable (Parameters) throws -> (any Sendable)?
    ) -> Link {
        let name = Name.action(target: target, action: action)
        return Link(name, callers, fileID, line, .onMain { try handler($0.parameters) })
    }
}
