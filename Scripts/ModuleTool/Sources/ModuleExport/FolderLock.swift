import Foundation
import ModuleEdits

/// Keeps other exports from the same folder until it is released, or the process ends.
///
/// The folder itself is locked, so that no file is left behind in it.
struct FolderLock: ~Copyable {
    private let lock: FileLock?

    /// - Parameter isNeeded: Whether to lock at all; a dry run writes nothing.
    /// - Throws: ``ModuleEdits/EditError`` when another export is under way there.
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
            isBusy ? "another export is writing there." : "it cannot be opened.",
            why: "Two at once would mix up their releases.",
            mend: isBusy ? "Run it again when that one is done." : "See to the folder's permissions.")
    }

    /// Lets others in.
    consuming func release() {}
}
