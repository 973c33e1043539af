import Dispatch

/// Detects callers on the main queue, where the main actor runs.
///
/// `MainActor.assumeIsolated` stops the process when the caller is elsewhere, so it cannot be asked. The main
/// queue can: it carries a mark, which only code on this queue sees. Main-actor code inside the `sync` of
/// another queue does not see the mark, and counts as elsewhere.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is on the main queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
