import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The result of a request or of a cache lookup.
public struct APIResponse<T: Sendable>: Sendable {
    /// The origin of the response.
    public typealias Source = APIResponseSource

    /// The request as it was sent, or would have been sent; `nil` if it could not be built.
    public var request: URLRequest?
    /// The response's head; `nil` if none arrived.
    public var response: HTTPURLResponse?
    /// The response's body; `nil` if none arrived or if it was downloaded to a file.
    public var data: Data?
    /// The parsed value, or the error.
    public var result: APIResult<T>
    /// The origin of the response.
    public var source: Source
    /// A human-readable record of how the response was obtained.
    public var explanation: APIExplanation

    /// Creates a response.
    public init(
        request: URLRequest? = nil, response: HTTPURLResponse? = nil, data: Data? = nil, result: APIResult<T>,
        source: Source = .network, explanation: APIExplanation = APIExplanation()
    ) {
        (self.request, self.response, self.data, self.result) = (request, response, data, result)
        (self.source, self.explanation) = (source, explanation)
    }
}

extension APIResponse {
    /// Creates the response from an answer whose value has the type `T`.
    init(_ answer: APIAnswer) {
        let result: APIResult<T>
        do throws(APIError) {
            guard let value = try answer.value?.get() as? T else {
                preconditionFailure("\(T.self).parse returned a value of another type.")
            }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        self.init(
            request: answer.request, response: answer.response,
            data: answer.file == nil ? answer.body : nil, result: result, source: answer.source)
    }
}

/// The origin of a response.
public enum APIResponseSource: Sendable, Hashable {
    /// From the server. Errors have this source too, unless the cache lookup reported them.
    case network
    /// From the cache, still fresh.
    case cache
    /// From the cache, validated by the server (304) in this exchange.
    case validated
    /// From the cache although expired, because the server failed and the request allows stale responses.
    case stale
}

/// Receives a response. Called on any thread.
public typealias APICompletionHandler<T: Sendable> = @Sendable (APIResponse<T>) -> Void

/// The result of a request: a value or an error. A domain can extend it to interpret its response envelope
/// (like the seed's `validateResult`).
///
/// Source: seed 5, "APIResult 扩展".
public enum APIResult<T: Sendable>: Sendable {
    // Indirect, so that a response has the same size for every type of value. Otherwise, each step of the generic
    // pipeline would have to look up at runtime how to copy the response.
    /// The value.
    indirect case success(T)
    /// The error.
    case failure(APIError)

    /// Returns the value.
    ///
    /// - Throws: The error of a failure.
    public func get() throws(APIError) -> T {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw error
        }
    }

    /// The value; `nil` for a failure.
    public var value: T? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The error; `nil` for a success.
    public var error: APIError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// A type that a response's body can be parsed into. Usually the model itself.
///
/// Source: seed 5, "APIParsable 协议".
public protocol APIParsable: Sendable {
    /// Returns the value that a body represents.
    ///
    /// Called on any thread. For a download, `data` is the path of the file in UTF-8.
    ///
    /// - Throws: ``APIResponseError/invalidParseResponse(_:url:)``, or any other error, which the library then
    ///   wraps in an `invalidParseResponse`.
    static func parse(data: Data) throws -> Self
}

/// The decoder of the service that is parsing a response. (The seed's `parse(data:)` has no parameter for a
/// decoder.)
enum APIDecoder {
    @TaskLocal static var current = JSONDecoder()
}

/// A type that is parsed from JSON. A `Decodable` type gets a default implementation of
/// ``APIParsable/parse(data:)``.
public protocol APIJSONParsable: APIParsable {}

extension APIJSONParsable where Self: Decodable {
    /// Decodes the value from JSON, with ``APISettings/decoder`` when called by a service.
    ///
    /// - Throws: ``APIResponseError/invalidParseResponse(_:url:)`` with the decoder's error.
    public static func parse(data: Data) throws -> Self {
        do {
            return try APIDecoder.current.decode(self, from: data)
        } catch {
            throw APIResponseError.invalidParseResponse(error)
        }
    }
}

/// A `Decodable` model that is parsed from JSON.
public typealias APIDefaultJSONParsable = APIJSONParsable & Decodable

/// A JSON array of models is parsed into an array.
extension Array: APIParsable, APIJSONParsable where Element: APIDefaultJSONParsable {}

extension Data: APIParsable {
    /// Returns the body unchanged.
    public static func parse(data: Data) throws -> Data { data }
}

/// A response whose body is ignored.
public struct APIEmpty: APIParsable, Hashable {
    /// Creates an empty response.
    public init() {}

    /// Ignores the body.
    public static func parse(data: Data) throws -> Self { Self() }
}

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

    /// The time from the start of the request to the last step.
    public var duration: Duration { steps.last?.time ?? .zero }

    /// Returns the total time of a stage: the sum of the times from each of its steps to the next step.
    public func duration(of stage: APIStage) -> Duration {
        zip(steps, steps.dropFirst()).filter { $0.0.stage == stage }.reduce(.zero) { sum, pair in
            sum + pair.1.time - pair.0.time
        }
    }

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

/// A stage of the pipeline. The cases are in the order a request passes through them.
public enum APIStage: String, Sendable, Hashable, CaseIterable {
    /// Calling the request's interceptor for its parameters.
    case parameters
    /// Encoding the parameters into a `URLRequest`.
    case encoding
    /// Calling the request's interceptor for the `URLRequest`.
    case requestInterceptor = "request interceptor"
    /// Calling the plugins' `prepare`.
    case prepare
    /// Looking up the response in the cache.
    case cacheRead = "cache read"
    /// Calling the plugins' `willSend`.
    case willSend
    /// Starting or joining an exchange that equal requests share.
    case coalescing
    /// Calling the accessories, once per attempt.
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
    /// Calling the plugins' `willReceive`.
    case willReceive
    /// Calling the request's interceptor for the response.
    case responseInterceptor = "response interceptor"
    /// Delivering the response to the caller.
    case delivery
    /// Calling the plugins' `didReceive`.
    case didReceive
}

/// Records what happens to one request.
package final class Journal: Sendable {
    private let record = Locked(APIExplanation())
    /// Returns the time since the start of the request.
    package let elapsed: @Sendable () -> Duration

    package init(clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    package func note(_ stage: APIStage, _ note: String = "") {
        let step = APIExplanation.Step(stage: stage, time: elapsed(), note: note)
        record.withLock { record in
            // Most requests have at most sixteen steps.
            if record.steps.isEmpty { record.steps.reserveCapacity(16) }
            record.steps.append(step)
        }
    }

    package var explanation: APIExplanation { record.withLock { $0 } }
}
