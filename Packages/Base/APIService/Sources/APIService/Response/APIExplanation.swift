/// What happened to one request, step by step, for a person to read.
///
/// ```text
///    0 ms  parameters
///    0 ms  cache read: miss
///    1 ms  transport: attempt 1
///   31 ms  status check: 503, again in 200 ms
/// ```
public struct APIExplanation: Sendable, Hashable, CustomStringConvertible {
    /// One step.
    public struct Step: Sendable, Hashable {
        /// The stage of the pipeline.
        public let stage: APIStage
        /// When it was, counted from the start of the send.
        public let time: Duration
        /// What was decided or found there, if that is not plain.
        public let note: String
    }

    /// The steps in order.
    public internal(set) var steps: [Step]

    /// How many times the transport was used.
    public var attempts: Int { steps.count { $0.stage == .transport } }

    /// The stages in order; one that was gone through twice stands there twice.
    public var stages: [APIStage] { steps.map(\.stage) }

    /// An explanation of these steps.
    public init(steps: [Step] = []) { self.steps = steps }

    /// One line a step.
    public var description: String {
        steps.map { step in
            let time = String(Int((step.time / .milliseconds(1)).rounded()))
            let padding = String(repeating: " ", count: max(0, 5 - time.count))
            return "\(padding)\(time) ms  \(step.stage.rawValue)\(step.note.isEmpty ? "" : ": \(step.note)")"
        }.joined(separator: "\n")
    }
}

/// A stage of the pipeline, in the order in which a request goes through them.
public enum APIStage: String, Sendable, Hashable, CaseIterable {
    /// The request's parameters, and its interceptor of them.
    case parameters
    /// Putting them into a `URLRequest`.
    case encoding
    /// The request's interceptor of the `URLRequest`.
    case requestInterceptor = "request interceptor"
    /// The plugins' `prepare`.
    case prepare
    /// Looking into the cache.
    case cacheRead = "cache read"
    /// The plugins' `willSend`.
    case willSend
    /// Sharing another request's exchange.
    case coalescing
    /// The accessories: once an attempt.
    case accessories
    /// One attempt to exchange request and answer.
    case transport
    /// Looking at the status of one attempt.
    case statusCheck = "status check"
    /// Getting a new token.
    case refresh
    /// Waiting before the next attempt.
    case backoff
    /// Turning the body into a value.
    case parse
    /// Handing the answer to the cache.
    case cacheWrite = "cache write"
    /// The plugins' `willReceive`.
    case willReceive
    /// The request's interceptor of the response.
    case responseInterceptor = "response interceptor"
    /// Handing the response to the caller.
    case delivery
    /// The plugins' `didReceive`.
    case didReceive
}
