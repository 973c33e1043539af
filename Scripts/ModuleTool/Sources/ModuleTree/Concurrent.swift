import Dispatch
import Synchronization

/// Makes a value of each element on all cores, and gives them back in order.
///
/// `transform` runs on many threads at once.
///
/// - Parameter step: How many neighbours share a step, whose own cost is far above that of a small file.
func concurrentMap<Element: Sendable, Result: Sendable>(
    _ elements: [Element], step: Int = 8, _ transform: @Sendable (Element) -> Result
) -> [Result] {
    guard elements.count > 1 else { return elements.map(transform) }
    let steps = (elements.count + step - 1) / step
    let results = Mutex<[Int: [Result]]>([:])
    DispatchQueue.concurrentPerform(iterations: steps) { index in
        let range = index * step..<min(elements.count, (index + 1) * step)
        let part = elements[range].map(transform)
        results.withLock { $0[index] = part }
    }
    return results.withLock { parts in (0..<steps).flatMap { parts[$0] ?? [] } }
}
