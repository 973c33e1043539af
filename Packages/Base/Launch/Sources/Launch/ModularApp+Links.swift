import Lifecycle
import Links

/// A link from outside the app that is being opened.
public struct OpenedLink: Sendable {
    let lookup: Task<AppLinks.Answer, any Error>
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
        get async {
            var report = await delivery.report
            do { _ = try await answer.value } catch { report.warnings.append(String(describing: error)) }
            return report
        }
    }

    /// Cancels the link. A link whose turn has not come is neither looked up nor called, and ``value`` throws a
    /// `CancellationError` in its turn. Afterwards, cancels the link's handler. Also cancels the module that is handling
    /// the event.
    public func cancel() {
        // The look-up may run before the task that waits for it begins.
        lookup.cancel()
        answer.cancel()
        delivery.cancel()
    }

    /// The delivery of the event and of the link.
    var whole: Delivery { Delivery(onCancel: cancel) { await report } }
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
    /// module may wait for ``OpenedLink/value``, but not for the delivery, whose turn comes later. A link that is opened by
    /// a task of the module waits like one from outside when the module has handled the event. A module that waits
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
        let request = AppLinks.Request(url: url.urlText, options: options, fileID: fileID, line: line)
        return open(request, in: host.part, immediately: false)
    }

    /// Takes the link's place in the queue of links, looks the link up in its turn, and then calls its handler.
    ///
    /// - Parameters:
    ///   - part: The part to which the current task belongs.
    ///   - immediately: Whether the modules are told immediately: see `ModuleHost.post`.
    func open(_ request: AppLinks.Request, in part: ModuleHost.Part?, immediately: Bool) -> OpenedLink {
        state.withLock { state in
            let ready = begin(&state).ready
            // A link that a module opens while it handles an event cannot wait for the end of that event, which an
            // activation and the links from outside may be waiting for.
            let isInner = part == .delivery
            let queue = isInner ? \AppState.Value.innerLookup : \AppState.Value.lookup
            let (earlier, activation) = (state[keyPath: queue], isInner ? nil : state.activation)
            let lookup = Task { [links] in
                _ = await ready.value
                _ = await activation?.report
                await earlier?.value
                try Task.checkCancellation()
                guard let links else { throw NoLinks(url: request.url) }
                return try links.find(request)
            }
            state[keyPath: queue] = Task { _ = await lookup.result }
            let answer = Task {
                let call = try await lookup.value
                try Task.checkCancellation()
                return try await call()
            }
            let delivery = host.post(.openURL(request.url), immediately: immediately)
            return OpenedLink(lookup: lookup, answer: answer, delivery: delivery)
        }
    }
}
