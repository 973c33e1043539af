import Dispatch

/// Detects callers on the main queue, where the main actor runs.
///
/// `MainActor.assumeIsolated` cannot detect them, because it stops the process if the caller is off the main actor.
/// Instead, the main queue carries a mark that only code on the main queue can read. Main-actor code that runs
/// inside another queue's `DispatchQueue.sync` cannot read the mark, so it counts as being off the main actor.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is on the main queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
