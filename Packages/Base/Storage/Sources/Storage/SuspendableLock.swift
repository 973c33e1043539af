import Foundation
import Locking

/// The lock on the folder of a ``Storage``. An active storage always holds the lock; a suspended storage holds it only
/// during operations.
///
/// Another process may change the files whenever the lock is released. Each operation therefore receives the number
/// of releases so far. If the number has grown since a document's last operation, the document must check its file for
/// changes.
///
/// All operations are thread-safe.
final class SuspendableLock: Sendable {
    private struct State {
        /// The lock; nil while another process may take it.
        var lock: FolderLock?
        var isSuspended = false
        var operations = 0
        var releases = 0
        /// The calls to ``SuspendableLock/suspend()`` that wait for the running operations to end.
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// Takes the lock unless it is already held.
        mutating func take(_ folder: URL) throws(StorageError) {
            if lock == nil { lock = try FolderLock(folder) }
        }

        /// Releases the lock if the storage is suspended and no operation is running. Returns the calls that waited
        /// for the release.
        mutating func releaseIfIdle() -> [CheckedContinuation<Void, Never>] {
            guard isSuspended, operations == 0 else { return [] }
            if lock != nil { (lock, releases) = (nil, releases + 1) }
            defer { waiters = [] }
            return waiters
        }
    }

    private let folder: URL
    private let state: Locked<State>

    /// Takes the lock.
    init(_ folder: URL) throws(StorageError) {
        self.folder = folder
        state = Locked(State(lock: try FolderLock(folder)))
    }

    var isSuspended: Bool { state.withLock { $0.isSuspended } }

    /// Begins an operation: until ``endOperation()``, no other process changes the files. Several operations
    /// may run concurrently.
    ///
    /// - Returns: How many times the lock has been released so far.
    /// - Throws: ``StorageError/Code/inUse`` or ``StorageError/Code/noFolder`` if the storage is suspended
    ///   and the lock cannot be taken. In that case, the operation has not begun.
    func beginOperation() throws(StorageError) -> Int {
        try state.withLock { (state) throws(StorageError) in
            try state.take(folder)
            state.operations += 1
            return state.releases
        }
    }

    func endOperation() {
        let waiters = state.withLock { state in
            state.operations -= 1
            return state.releaseIfIdle()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Releases the lock when the running operations have ended. Returns when the lock has been released, or when
    /// ``resume()`` has been called.
    func suspend() async {
        await withCheckedContinuation { waiter in
            let waiters = state.withLock { state in
                state.isSuspended = true
                state.waiters.append(waiter)
                return state.releaseIfIdle()
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    /// Takes the lock again, and keeps it.
    ///
    /// - Throws: The same errors as ``beginOperation()``. The storage then stays suspended.
    func resume() throws(StorageError) {
        let waiters = try state.withLock { (state) throws(StorageError) in
            try state.take(folder)
            state.isSuspended = false
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
