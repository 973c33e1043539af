#if os(Linux)
import Foundation

/// A serial operation queue that passes blocks directly to a dispatch queue.
///
/// On Linux, `OperationQueue` creates an `Operation` for every block, with its own locks and observers. A
/// session calls its delegate three times per exchange, and these operations were measured to take a tenth of
/// a small exchange.
///
/// All operations are thread-safe.
final class DispatchedOperationQueue: OperationQueue, @unchecked Sendable {
    // Unchecked because `OperationQueue` is; the only property is constant and Sendable.
    private let queue: DispatchQueue

    init(_ name: String) {
        queue = DispatchQueue(label: name)
        super.init()
        // Operations that are not blocks run on the same queue, so that they do not overlap with blocks.
        maxConcurrentOperationCount = 1
        unsafe underlyingQueue = queue
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }
}
#endif
