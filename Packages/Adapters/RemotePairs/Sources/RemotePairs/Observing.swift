import GRPCCore
import Instrumentation
import ServiceContextModule

/// One finished call, for logs and metrics. The call's trace is current while `onCall` runs.
public struct RemoteCallRecord: Sendable {
    public enum Outcome: Sendable {
        case value
        /// The IMP threw an error that the Api declares.
        case error(any Error)
        /// The call could not be completed.
        case failed(RemoteError)
    }

    public let pair: String
    public let method: String
    /// On the calling side, the connection's addresses; on the serving side, the caller's address.
    public let address: String
    public let duration: Duration
    public let outcome: Outcome
}

extension Answer {
    var outcome: RemoteCallRecord.Outcome {
        switch self {
        case .value: .value
        case .error(let error): .error(error)
        }
    }
}

/// Measures a call if the connection has an `onCall` closure.
struct Measured {
    private let began: ContinuousClock.Instant?
    private let connection: RemoteConnection
    private let pair: RemotePair
    private let method: MethodDescriptor

    init(_ connection: RemoteConnection, _ pair: RemotePair, _ method: MethodDescriptor) {
        (self.connection, self.pair, self.method) = (connection, pair, method)
        began = connection.options.onCall == nil ? nil : .now
    }

    func report(_ outcome: @autoclosure () -> RemoteCallRecord.Outcome) {
        guard let began else { return }
        connection.options.onCall?(
            RemoteCallRecord(
                pair: pair.name, method: method.requirement, address: connection.addresses.description,
                duration: began.duration(to: .now), outcome: outcome()))
    }
}

extension RemoteConnection {
    /// Returns the pair's headers and those of the current trace.
    func headers(of pair: RemotePair) -> Metadata {
        guard let context = ServiceContext.current else { return pair.metadata }
        var headers = pair.metadata
        InstrumentationSystem.instrument.inject(context, into: &headers, using: TraceHeaders())
        return headers
    }
}

/// Carries a trace in the headers of calls, for example in the W3C header `traceparent`.
struct TraceHeaders: Injector, Extractor {
    func inject(_ value: String, forKey key: String, into headers: inout Metadata) {
        headers.replaceOrAddString(value, forKey: key)
    }

    func extract(key: String, from headers: Metadata) -> String? {
        headers[stringValues: key].first { _ in true }
    }

    /// Runs `body` in the trace that the call's headers carry.
    static func run<Value>(_ headers: Metadata, _ body: () async throws -> Value) async rethrows -> Value {
        var context = ServiceContext.topLevel
        InstrumentationSystem.instrument.extract(headers, into: &context, using: TraceHeaders())
        guard !context.isEmpty else { return try await body() }
        return try await ServiceContext.withValue(context) { try await body() }
    }
}
