// Builds IMPs before anyone requests them: for a module host, and for the test of an app.

extension ApiRegistrations {
    /// Builds the IMPs of these registrations that have the scope `.once` or `.main(.once)`, one after the other, in the
    /// order in which they were registered, so that a module learns that it cannot work before its callers do.
    ///
    /// - An IMP that exists is not built again. Builders of other scopes do not run, and neither does a builder that
    ///   was registered by ``ApiCenter/registerApi(type:impBuilder:fileID:line:)-(_,()->T,_,_)``, whose scope the center
    ///   does not know.
    /// - An IMP with the scope `.main(.once)` is built on the main actor, every other one off the main actor.
    /// - A registration that was replaced, removed or rolled back does not count.
    /// - When the task is cancelled, the call ends with an error before the next builder runs.
    ///
    /// - Throws: The ``ApiError`` of the first IMP that could not be built. The IMPs before it exist, and are freed when
    ///   their registrations are rolled back. The error's call site is the registration.
    @concurrent
    public func buildOnce() async throws(ApiError) {
        for box in log.entries.compactMap(\.box) where box.isOnce && log.center.visibleBox(box.key) === box {
            try await box.buildAhead(log.center)
        }
    }
}

extension ApiCenter {
    /// Builds the IMP of every registered Api once, for a test of an app: "every module of this app can be built".
    ///
    /// ```swift
    /// for error in await app.center.buildAll() { Issue.record(error) }
    /// ```
    ///
    /// - Call this method before the app launches: a module that cannot be built is left out of a launched app, and its
    ///   registrations with it.
    /// - The builders run in a scope of overrides of their own, with its own sessions and `once` values, so the app's values
    ///   stay as they are, except those of another center that a builder asks. The values are freed before the call
    ///   returns, unless a builder has stored them elsewhere or has started a task that still runs.
    /// - An IMP with the scope `.main` is built on the main actor; so is one registered by
    ///   ``registerApi(type:impBuilder:fileID:line:)-(_,()->T,_,_)``, whose scope the center does not know. Every other
    ///   IMP is built off the main actor, because any caller may request it.
    /// - A wrong actor, a cycle, or a `once` builder that requests an object of a session stops the process with a message,
    ///   as on any call.
    /// - When the task is cancelled, no further builder runs: the remaining IMPs count as not built.
    ///
    /// - Returns: The errors of the IMPs that could not be built, in the order of the Apis' names. An error's call site is
    ///   the registration.
    @concurrent
    public func buildAll() async -> [ApiError] {
        let boxes = visibleBoxes.values.sorted { $0.name < $1.name }
        var errors: [ApiError] = []
        await withOverrides({ _ in }) {
            for box in boxes {
                do throws(ApiError) { try await box.buildAhead(self) } catch { errors.append(error) }
            }
        }
        return errors
    }
}

extension AnyApiBox {
    /// Builds the IMP on the actor of its builder, unless the task is cancelled.
    @concurrent
    fileprivate func buildAhead(_ center: ApiCenter) async throws(ApiError) {
        do {
            try Task.checkCancellation()
            guard isOnMain else { return try buildAndDrop(center) }
            try await MainActor.run { try buildAndDrop(center) }
        } catch {
            throw ApiError(type, at: site, registration: site, cause: error)
        }
    }
}
