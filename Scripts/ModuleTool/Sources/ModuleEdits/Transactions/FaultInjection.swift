import Foundation

/// Kills this process before a given step of a transaction or an export, so that tests can check how the next
/// command recovers. It does nothing unless the environment variable is set.
package enum FaultInjection {
    /// The environment variable: `MODULETOOL_KILL_AT_STEP=7` kills the process before its seventh step.
    static let variable = "MODULETOOL_KILL_AT_STEP"

    /// Creates a hook for one run. The hook counts its calls.
    package static func hook() -> (String) -> Void {
        guard let step = ProcessInfo.processInfo.environment[variable].flatMap(Int.init) else {
            return { _ in }
        }
        var count = 0
        return { _ in
            count += 1
            // SIGKILL cannot be handled, so nothing is flushed or cleaned up.
            if count == step { kill(getpid(), SIGKILL) }
        }
    }
}
