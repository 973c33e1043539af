/// A human-readable record of what happened to one request.
///
/// ```text
///     0 ms  cache read: miss
///     0 ms  willSend
///     1 ms  transport
///    31 ms  status check: 503
///    31 ms  backoff: 150.0 ms
///   181 ms  transport
/// ```
public struct APIExplanation: Sendable, Hashable, CustomStringConvertible {
    /// One step.
    public struct Step: Sendable, Hashable {
        /// The stage of the pipeline.
        public let stage: APIStage
        /// The time since the start of the request.
        public let time: Duration
        /// The details of the step, for example its outcome; may be empty.
        public let note: String
    }

    /// The steps in order.
    public internal(set) var steps: [Step]

    /// The number of attempts.
    public var attempts: Int { steps.count { $0.stage == .transport } }

    /// The stages in order. A stage that was repeated appears more than once.
    public var stages: [APIStage] { steps.map(\.stage) }

    /// Creates an explanation of these steps.
    public init(steps: [Step] = []) { self.steps = steps }

    /// One line per step.
    public var description: String {
        steps.map { step in
            let time = String(Int((step.time / .milliseconds(1)).rounded()))
            let padding = String(repeating: " ", count: max(0, 5 - time.count))
            return "\(padding)\(time) ms  \(step.stage.rawValue)\(step.note.isEmpty ? "" : ": \(step.note)")"
        }.joined(separator: "\n")
    }
}

/// A stage of the pipeline. The cases are in the order in which a request passes through them.
public enum APIStage: String, Sendable, Hashable, CaseIterable {
    /// The request's interceptor of its parameters.
    case parameters
    /// Encoding the parameters into a `URLRequest`.
    case encoding
    /// The request's interceptor of the `URLRequest`.
    case requestInterceptor = "request interceptor"
    /// The plugins' `prepare`.
    case prepare
    /// Looking up the response in the cache.
    case cacheRead = "cache read"
    /// The plugins' `willSend`.
    case willSend
    /// Starting or joining an exchange that equal requests share.
    case coalescing
    /// The accessories, once per attempt.
    case accessories
    /// One attempt to send the request and receive the response.
    case transport
    /// Checking the status of one attempt.
    case statusCheck = "status check"
    /// Fetching a new token.
    case refresh
    /// Waiting before the next attempt.
    case backoff
    /// Parsing the body.
    case parse
    /// Storing the response in the cache.
    case cacheWrite = "cache write"
    /// The plugins' `willReceive`.
    case willReceive
    /// The request's interceptor of the response.
    case responseInterceptor = "response interceptor"
    /// Delivering the response to the caller.
    case delivery
    /// The plugins' `didReceive`.
    case didReceive
}
