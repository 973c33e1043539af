import Lifecycle
import Links
import Logging

extension Logger {
    /// An observer for a `ModularApp` or a `ModuleHost`: logs each module's part in a phase when it has ended, with the
    /// module, the phase and the duration as metadata. A failure is an error, everything else is a debug message. The URL
    /// of the event `openURL` is left out, because it may contain a secret.
    public var lifecycleObserver: LifecycleObserver {
        { [self] description, module in
            let phase = description.prefix { $0 != "(" }
            let start = ContinuousClock.now
            return { outcome in
                let duration: MetadataValue = "\(ContinuousClock.now - start)"
                let metadata: Metadata = ["module": "\(module)", "phase": "\(phase)", "duration": duration]
                switch outcome {
                case .succeeded, .skipped: debug("A module has ended a phase", metadata: metadata)
                case .failed(let reason): error("A module failed: \(reason)", metadata: metadata)
                case .timedOut: error("A module was still busy when its time was up", metadata: metadata)
                }
            }
        }
    }

    /// An observer for a `LinkTable`: logs each call of a link when it has ended, with the link, the module and
    /// the caller as metadata. The URL is left out, because it may contain a secret.
    public var linkObserver: LinkObserver {
        { [self] call in
            let metadata: Metadata = [
                "link": "\(call.link.map(String.init(describing:)) ?? "none")",
                "module": "\(call.module ?? "none")", "caller": "\(call.caller)",
            ]
            return { failure in
                if let failure {
                    error("A link failed: \(failure)", metadata: metadata)
                } else {
                    debug("A link was called", metadata: metadata)
                }
            }
        }
    }
}
