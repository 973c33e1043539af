import Foundation

/// Kills this process before the step of a transaction or of an export that the environment names, so that tests see
/// what the next command makes of it. Without the variable it does nothing.
package enum FaultInjection {
    /// `MODULETOOL_KILL_AT_STEP=7` kills before the seventh step.
    static let variable = "MODULETOOL_KILL_AT_STEP"

    /// The hook of one run.
    package static func hook() -> (String) -> Void {
        guard let step = ProcessInfo.processInfo.environment[variable].flatMap(Int.init) else {
            return { _ in }
        }
        var count = 0
        return { _ in
            count += 1
            // A signal that no handler sees, as from outside: nothing is flushed or cleaned up.
            if count == step { kill(getpid(), SIGKILL) }
        }
    }
}
