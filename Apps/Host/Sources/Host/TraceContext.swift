import Instrumentation
import Logging
import ServiceContextModule

/// The trace context of a call, as in the header `traceparent` (https://www.w3.org/TR/trace-context).
///
/// Host records no spans. To export traces, install a tracer instead of ``Carrier``.
struct TraceContext: Sendable, Hashable, CustomStringConvertible {
    let trace: String
    let span: String
    private let flags: String

    /// Starts a new trace.
    init() {
        trace = Self.random(32)
        span = Self.random(16)
        flags = "01"
    }

    /// Parses a header; nil if it is invalid.
    init?(_ header: String) {
        guard
            let match = header.wholeMatch(
                of: /([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?/),
            match.1 != "ff", match.1 != "00" || match.5 == nil,
            match.2.contains(where: { $0 != "0" }), match.3.contains(where: { $0 != "0" })
        else { return nil }
        (trace, span, flags) = (String(match.2), String(match.3), String(match.4))
    }

    var description: String { "00-\(trace)-\(span)-\(flags)" }

    private static func random(_ digits: Int) -> String {
        let text = String(UInt128.random(in: 1 ... .max), radix: 16)
        return String((String(repeating: "0", count: 32) + text).suffix(digits))
    }

    /// Adds the trace to log lines.
    static let metadata = Logger.MetadataProvider {
        ServiceContext.current?.trace.map { ["trace": "\($0.trace)"] } ?? [:]
    }

    /// Propagates the trace between processes.
    struct Carrier: Instrument {
        func inject<Headers, Inject: Injector>(
            _ context: ServiceContext, into headers: inout Headers, using injector: Inject
        ) where Inject.Carrier == Headers {
            guard let trace = context.trace else { return }
            injector.inject("\(trace)", forKey: "traceparent", into: &headers)
        }

        func extract<Headers, Extract: Extractor>(
            _ headers: Headers, into context: inout ServiceContext, using extractor: Extract
        ) where Extract.Carrier == Headers {
            context.trace = extractor.extract(key: "traceparent", from: headers).flatMap { TraceContext($0) }
        }
    }
}

extension ServiceContext {
    private enum Key: ServiceContextKey { typealias Value = TraceContext }

    var trace: TraceContext? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}
