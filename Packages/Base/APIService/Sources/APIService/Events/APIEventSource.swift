/// How a stream of events is kept up.
public struct APIEventSource: Sendable, Hashable {
    /// One exchange, and no more.
    public static let once = APIEventSource()

    /// How often a new connection is made in a row, without an event from it, when one has ended, broken or
    /// could not be made; 0: never. After that the loop ends as the last connection did.
    ///
    /// A status that is not acceptable is final, and so is 204, with which a server ends a stream for good.
    public var maximumReconnections: Int

    /// The wait before a new connection, unless the server asks for another (`retry:`). It doubles with each that
    /// fails in a row.
    public var delay: Duration

    /// The shortest wait that a server can ask for: one that says `retry: 0`, and ends each answer, is not asked again
    /// and again without a rest. It goes before ``maximumDelay``. The source's own ``delay`` may be shorter.
    public var minimumDelay: Duration

    /// The longest wait, whatever doubling and the server's `retry:` lead to.
    public var maximumDelay: Duration

    /// How many events may wait to be asked for. One more ends the loop with ``APIEventOverflow``, behind those
    /// that wait.
    public var bufferLimit: Int

    /// The most bytes that one event may have. A longer one ends the loop with ``APIEventOverflow``.
    public var eventLimit: Int

    /// A way to keep a stream up.
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

    /// The wait before a new connection, after so many that failed in a row; nil when there shall be none.
    func wait(failures: Int, retry: Duration?) -> Duration? {
        guard failures < maximumReconnections else { return nil }
        var wait = retry.map { max(min($0, maximumDelay), minimumDelay) } ?? min(delay, maximumDelay)
        for _ in 0..<failures where wait < maximumDelay { wait = min(wait * 2, maximumDelay) }
        return wait
    }
}

/// A server sent more than the loop took, or than an event may have. Inside an ``APIError/connectionError(_:)``.
public enum APIEventOverflow: Error, Sendable, Hashable {
    /// More events than ``APIEventSource/bufferLimit`` waited.
    case tooMany
    /// An event was longer than ``APIEventSource/eventLimit``.
    case tooLong
}
