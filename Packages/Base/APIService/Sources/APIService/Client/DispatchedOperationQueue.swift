#if os(Linux)
import Foundation

/// A serial queue of operations that are blocks. Linux makes an `Operation` of every block, with locks and observers
/// of its own, and a session tells its delegate three things an exchange: that was measured to take a tenth of a
/// small exchange. Here a block is a block.
///
/// All operations are safe from every thread.
final class DispatchedOperationQueue: OperationQueue, @unchecked Sendable {
    // Unchecked because `OperationQueue` is; the one property is a constant, and Sendable.
    private let queue: DispatchQueue

    init(_ name: String) {
        queue = DispatchQueue(label: name)
        super.init()
        // What comes in by another way than blocks runs on the same queue, and so is not beside them.
        maxConcurrentOperationCount = 1
        unsafe underlyingQueue = queue
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }
}
#endif
