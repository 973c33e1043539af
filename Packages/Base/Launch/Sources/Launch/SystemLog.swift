import Lifecycle
import Links

#if canImport(os)
import Foundation
import os
#endif

/// The signposts and log lines of Apple's systems: how long each module takes to register, to prepare and to handle an
/// event, and which link is called. Instruments shows the signposts, Console the lines. URLs and errors are
/// private data, which Console hides by default.
public enum SystemLog {
    #if canImport(os)
    private static let subsystem = Bundle.main.bundleIdentifier ?? "Launch"
    private static let logger = Logger(subsystem: subsystem, category: "Modules")
    private static let signposter = OSSignposter(subsystem: subsystem, category: "Modules")

    /// The observer for a ``ModularApp`` or a `ModuleHost`; empty on systems without `os`.
    public static let lifecycle: [LifecycleObserver] = [observe]

    private static func observe(
        _ phase: String, _ module: String
    ) -> @Sendable (LifecycleReport.Outcome) -> Void {
        let id = signposter.makeSignpostID()
        _ = signposter.beginInterval("Phase", id: id, "\(module, privacy: .public): \(phase)")
        return { outcome in
            signposter.endInterval("Phase", .beginState(id: id))
            switch outcome {
            case .succeeded, .skipped: logger.debug("\(module, privacy: .public): \(phase)")
            case .failed(let error): logger.error("\(module, privacy: .public) failed at \(phase): \(error)")
            case .timedOut(let limit):
                logger.error(
                    "\(module, privacy: .public) was still busy with \(phase) after \("\(limit)", privacy: .public)"
                )
            }
        }
    }

    /// The observer for a registry of links; nil on systems without `os`.
    public static let links: LinkObserver? = { call in
        let id = signposter.makeSignpostID()
        let module = call.module ?? "no module"
        _ = signposter.beginInterval("Link", id: id, "\(module, privacy: .public): \(call.requested)")
        return { error in
            signposter.endInterval("Link", .beginState(id: id))
            guard let error else { return logger.debug("\(module, privacy: .public): \(call.requested)") }
            logger.error("\(module, privacy: .public): \(call.requested) failed: \("\(error)")")
        }
    }
    #else
    /// The observer for a ``ModularApp`` or a `ModuleHost`; empty on systems without `os`.
    public static let lifecycle: [LifecycleObserver] = []

    /// The observer for a registry of links; nil on systems without `os`.
    public static let links: LinkObserver? = nil
    #endif
}
