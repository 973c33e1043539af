import Foundation

/// Sends this process a signal before a given step of an edit or an export, so that tests can check how the command ends
/// and how the next one continues. Does nothing unless an environment variable is set.
package enum FaultInjection {
    /// Creates a hook for one run. The hook counts its calls: `MODULETOOL_KILL_AT_STEP=7` kills the process before
    /// its seventh step, and `MODULETOOL_INTERRUPT_AT_STEP=7` interrupts it. Step 0 is the creation of the hook.
    package static func hook() -> (String) -> Void {
        // SIGKILL cannot be handled, so nothing is flushed or cleaned up.
        let signals = [("KILL", SIGKILL), ("INTERRUPT", SIGINT)].compactMap { name, signal in
            ProcessInfo.processInfo.environment["MODULETOOL_\(name)_AT_STEP"].flatMap(Int.init).map {
                ($0, signal)
            }
        }
        var count = 0
        // To this thread, so that a handler runs before the step.
        func send() { for (step, signal) in signals where step == count { raise(signal) } }
        send()
        return { _ in
            count += 1
            send()
        }
    }
}
