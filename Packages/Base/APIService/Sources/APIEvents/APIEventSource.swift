/// How a stream of events reconnects and buffers.
public struct APIEventSource: Sendable, Hashable {
    /// A single connection, without reconnecting.
    public static let once = APIEventSource()

    /// The maximum number of consecutive reconnections that receive no event; 0 disables reconnecting. The stream
    /// reconnects when a connection has ended, has broken or could not be made. When no reconnections are left, the
    /// caller's `for try await` loop ends the way the last connection ended: normally or with an error.
    ///
    /// The stream does not reconnect after an unacceptable status, or after a 204, with which a server ends a stream
    /// permanently.
    public var maximumReconnections: Int

    /// The delay before reconnecting, unless the server sets another one with `retry:`. The delay doubles
    /// with every consecutive failure.
    public var delay: Duration

    /// The shortest delay that a server can set. This minimum prevents a tight loop when a server sends `retry: 0` and
    /// ends each response immediately. The minimum takes precedence over ``maximumDelay``. The source's own ``delay``
    /// may be shorter.
    public var minimumDelay: Duration

    /// The maximum delay, which also limits a doubled delay and a delay that the server sets with `retry:`.
    public var maximumDelay: Duration

    /// The maximum number of events that can wait for the caller's loop. If one more event arrives, the loop receives
    /// the waiting events and then ends with ``APIEventOverflow``.
    public var bufferLimit: Int

    /// The maximum size in bytes of one event as it is sent, without line ends and comments. A larger event ends the caller's
    /// loop with ``APIEventOverflow``.
    public var eventLimit: Int

    /// Creates a source. By default, it does not reconnect.
    public init(
        maximumReconnections: Int = 0, delay: Duration = .seconds(3), maximumDelay: Duration = .seconds(60),
        bufferLimit: Int = 1_000, eventLimit: Int = 1 << 20, minimumDelay: Duration = .milliseconds(500)
    ) {
        self.maximumReconnections = maximumReconnections
        self.delay = delay
        self.maximumDelay = maximumDelay
        self.minimumDelay = minimumDelay
        self.bufferLimit = bufferLimit
        self.eventLimit = eventLimit
    }

    /// Returns the delay before reconnecting after this number of consecutive failures, or `nil` to stop.
    func wait(failures: Int, retry: Duration?) -> Duration? {
        guard failures < maximumReconnections else { return nil }
        var wait = retry.map { max(min($0, maximumDelay), minimumDelay) } ?? min(delay, maximumDelay)
        for _ in 0..<failures where wait < maximumDelay { wait = min(wait * 2, maximumDelay) }
        return wait
    }
}

/// The server sent events faster than the caller's loop consumed them, or sent an event that was too large. The loop
/// throws this error inside an `APIError.connectionError`.
public enum APIEventOverflow: Error, Sendable, Hashable {
    /// More than ``APIEventSource/bufferLimit`` events were waiting.
    case tooMany
    /// An event was larger than ``APIEventSource/eventLimit``.
    case tooLong
}
