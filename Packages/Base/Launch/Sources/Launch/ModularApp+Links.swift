import Lifecycle
import Links

/// A link from outside the app that is being opened.
public struct OpenedLink: Sendable {
    let answer: Task<(any Sendable)?, any Error>
    /// The delivery of the event `openURL`, with which the modules are told of the link.
    public let delivery: Delivery

    /// Waits for the value of the link, such as a page; nil if the link has none.
    ///
    /// - Throws: Why the link was refused: an error of the app's registry of links, or of the link's handler.
    public var value: (any Sendable)? {
        get async throws { try await answer.value }
    }

    /// Waits until the link has been opened and the modules have been told. The report's `warnings` contain the reason
    /// why the link was refused, if it was.
    public var report: LifecycleReport {
        get async { await Self.add(answer, to: delivery.report) }
    }

    /// Cancels the link's handler, and the module that is handling the event. Has no effect afterwards.
    public func cancel() {
        answer.cancel()
        delivery.cancel()
    }

    /// Adds the reason why a link was refused, if it was, to the report on its event.
    static func add(
        _ answer: Task<(any Sendable)?, any Error>, to report: LifecycleReport
    ) async -> LifecycleReport {
        var report = report
        do {
            _ = try await answer.value
        } catch {
            report.warnings.append(String(describing: error))
        }
        return report
    }
}

extension ModularApp {
    /// Opens a link that the system or another app handed to this app, and posts the event `openURL` to the modules.
    ///
    /// ```swift
    /// .onOpenURL { url in
    ///     let link = app.open(url)
    ///     Task { try await show(link.value as? any Page) }
    /// }
    /// ```
    ///
    /// A link waits for the launch up to `beforeLaunch`. If an `active` was posted before the link, the link also waits
    /// until this event has been delivered: until the modules have handled it and the events before it. Otherwise, the
    /// link waits for no module's handler. The modules hear of the link with the event `openURL`, in its turn. Links are
    /// looked up in the order of the calls; the handler of a link does not wait for those of earlier links. A handler has
    /// no time limit: ``OpenedLink/cancel()`` ends the wait for one that reacts to it.
    ///
    /// A link that a module opens while it handles an event waits neither for `active` nor for links from outside. The
    /// module may wait for ``OpenedLink/value``, but not for the delivery, whose turn comes later. A module that waits
    /// for a link while it prepares waits until its time limit expires. `beforeLaunch` must not wait for a link, which
    /// would wait for `beforeLaunch`.
    ///
    /// - Parameters:
    ///   - url: The link, as a string or a Foundation `URL`.
    ///   - options: The options that the system passed with the link.
    ///   - fileID: The caller's file, for the observers of links.
    ///   - line: The caller's line, for the observers.
    /// - Returns: The link, whose value can be awaited.
    @discardableResult
    public func open(
        _ url: some URLText, options: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> OpenedLink {
        let request = AppLinks.Request(url.urlText, options: options, fileID: fileID, line: line)
        return state.withLock { state in
            let answer = self.answer(to: request, &state)
            return OpenedLink(answer: answer, delivery: host.post(.openURL(request.url)))
        }
    }

    /// Takes the next place in the queue of links, looks the link up in its turn, and then calls its handler.
    func answer(
        to request: AppLinks.Request, _ state: inout AppState.Value
    ) -> Task<(any Sendable)?, any Error> {
        let ready = begin(&state).ready
        // A link that a module opens while it handles an event cannot wait for the end of that event, which an
        // activation and the links from outside may be waiting for.
        let isInner = host.isDelivering
        let queue = isInner ? \AppState.Value.innerLookup : \AppState.Value.lookup
        let (earlier, activation) = (state[keyPath: queue], isInner ? nil : state.activation)
        let lookup = Task { [links] in
            _ = await ready.value
            _ = await activation?.report
            await earlier?.value
            guard let links else { throw NoLinks(url: request.url) }
            return try links.find(request)
        }
        state[keyPath: queue] = Task { _ = await lookup.result }
        return Task { try await lookup.value() }
    }
}
