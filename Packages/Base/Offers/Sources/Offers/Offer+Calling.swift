extension Offer {
    /// Calls the handler without waiting, for a module's tests. For an action of a target with state, the call
    /// creates a new state.
    ///
    /// - Throws: ``HandlerError`` if the caller needs `await`, or the handler's own error.
    public func call(_ parameters: Parameters = [:]) throws -> (any Sendable)? {
        try handler.call(Call(parameters, state: makeState?.make()))
    }

    /// Calls the handler and waits for its result.
    public nonisolated(nonsending) func call(_ parameters: Parameters = [:]) async throws -> (any Sendable)? {
        try await handler.call(Call(parameters, state: makeState?.make()))
    }
}

extension Sequence<Offer> {
    /// The first offer with the given name.
    public func first(_ name: Offer.Name) -> Offer? { first { $0.name == name } }
}
