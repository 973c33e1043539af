import Foundation
import ModuleEdits

/// Locks a folder against other exports until the lock is released or the process ends.
///
/// The lock is on the folder itself, so that no lock file remains in it.
struct FolderLock: ~Copyable {
    private let lock: FileLock?

    /// - Parameter isNeeded: Whether to lock at all. A dry run writes nothing and needs no lock.
    /// - Throws: ``ModuleEdits/EditError`` when the folder cannot be opened or another export is using it.
    init(_ folder: URL, isNeeded: Bool) throws(EditError) {
        guard isNeeded else {
            lock = nil
            return
        }
        var isBusy = false
        do throws(PosixError) {
            let lock = try FileLock(folder.path, flags: O_RDONLY)
            if try lock.take(waiting: false) {
                self.lock = consume lock
                return
            }
            isBusy = true
        } catch {}
        throw EditError(
            .environment, at: folder.path,
            isBusy ? "another export is running in this folder." : "the folder cannot be opened.",
            why: "Two exports at the same time would mix up their releases.",
            fix: isBusy ? "Try again after the other export." : "Check the folder's permissions.")
    }

    /// Releases the lock.
    consuming func release() {}
}
