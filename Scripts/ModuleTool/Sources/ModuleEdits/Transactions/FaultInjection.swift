import Foundation

/// Kills this process before a given step of an edit or an export, so that tests can check how the next command
/// continues. Does nothing unless the environment variable is set.
package enum FaultInjection {
    /// Creates a hook for one run. The hook counts its calls: `MODULETOOL_KILL_AT_STEP=7` kills the process before
    /// its seventh step.
    package static func hook() -> (String) -> Void {
        let step = ProcessInfo.processInfo.environment["MODULETOOL_KILL_AT_STEP"].flatMap(Int.init)
        var count = 0
        return { _ in
            count += 1
            // SIGKILL cannot be handled, so nothing is flushed or cleaned up.
            if count == step { kill(getpid(), SIGKILL) }
        }
    }
}
