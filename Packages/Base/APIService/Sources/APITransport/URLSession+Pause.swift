import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSession {
    /// The number of pieces of bodies after which reading pauses.
    static let piecesBetweenPauses = 1_000

    /// Keeps libcurl from reading on once it returns, which it does after at most 100 reads. Does not wait for that. The
    /// caller must call the returned closure: libcurl then reads on as soon as the session has done all work that waits.
    ///
    /// On Linux, a session calls libcurl on a queue that it does not leave while a server sends faster than the process
    /// reads. All sessions share the thread, so meanwhile no task is created, resumed or cancelled, and the timers that a
    /// session creates for each piece of a body pile up in memory. Suspending the queue ends this. The queue is private, so
    /// only `Mirror` finds it. In a version of Foundation without such a queue, this method does nothing.
    func pauseReading() -> @Sendable () -> Void {
        #if os(Linux)
        guard let queue = readingQueue else { return {} }
        queue.suspend()
        // Runs on the session's own queue, after everything that waits there. Until then, it keeps the session, whose queue
        // must not be released while it is suspended.
        return { self.getAllTasks { _ in queue.resume() } }
        #else
        return {}
        #endif
    }

    #if os(Linux)
    /// The private queue that calls libcurl.
    var readingQueue: DispatchQueue? {
        Mirror(reflecting: self).descendant("multiHandle", "queue") as? DispatchQueue
    }
    #endif
}
