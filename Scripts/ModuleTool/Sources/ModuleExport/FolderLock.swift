import Foundation
import ModuleEdits

/// Keeps other exports from the same folder until it is released, or the process ends.
///
/// The folder itself is locked, so that no file is left behind in it.
struct FolderLock: ~Copyable {
    private let descriptor: Int32

    /// - Parameter isNeeded: Whether to lock at all; a dry run writes nothing.
    /// - Throws: ``ModuleEdits/EditError`` when another export is under way there.
    init(_ folder: URL, isNeeded: Bool) throws(EditError) {
        guard isNeeded else {
            descriptor = -1
            return
        }
        descriptor = unsafe open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isBusy = descriptor >= 0
            if isBusy { close(descriptor) }
            throw EditError(
                .environment, at: folder.path,
                isBusy ? "another export is writing there." : "it cannot be opened.",
                why: "Two at once would mix up their releases.",
                mend: isBusy ? "Run it again when that one is done." : "See to the folder's permissions.")
        }
    }

    /// Lets others in.
    consuming func release() {}

    deinit {
        guard descriptor >= 0 else { return }
        // A program that is just being started still has a copy of the descriptor, and closing ours would leave
        // the lock with it.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
