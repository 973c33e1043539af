import Logging
import Metrics
import RemotePairs
import Synchronization

/// Logs and counts remote calls. Thread-safe.
final class CallLog: Sendable {
    private let log: Logger
    private let failed = Mutex<(count: Int, first: RemoteError?)>((0, nil))

    init(_ log: Logger) { self.log = log }

    /// A message with the number of calls that could not be completed and the first error; nil if all calls completed.
    var failures: String? {
        let (count, first) = failed.withLock { $0 }
        return first.map {
            "\(count) remote call\(count == 1 ? "" : "s") could not be completed. The first: \($0)"
        }
    }

    /// Logs and counts a finished call.
    @Sendable func note(_ call: RemoteCallRecord) {
        let (outcome, level, error): (String, Logger.Level, (any Error)?) =
            switch call.outcome {
            case .value: ("value", .debug, nil)
            case .error(let error): ("error", .debug, error)
            case .failed(let error): ("failed", .info, error)
            }
        var metadata: Logger.Metadata = [
            "address": "\(call.address)", "outcome": "\(outcome)", "duration": "\(call.duration)",
        ]
        metadata["error"] = error.map { "\($0)" }
        log.log(level: level, "\(call.pair).\(call.method)", metadata: metadata)
        let labels = [("pair", call.pair), ("method", call.method), ("outcome", outcome)]
        Counter(label: "remote_calls", dimensions: labels).increment()
        Metrics.Timer(label: "remote_call_duration", dimensions: labels).record(duration: call.duration)
        if case .failed(let error) = call.outcome {
            failed.withLock { $0 = ($0.count + 1, $0.first ?? error) }
        }
    }
}
