import Dispatch
import Synchronization

/// Makes a value of each element on all cores, and gives them back in order.
///
/// `transform` runs on many threads at once.
func concurrentMap<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ transform: @Sendable (Element) -> Result
) -> [Result] {
    guard elements.count > 1 else { return elements.map(transform) }
    // Neighbours share a step: a step's own cost is far above that of a small file.
    let step = 8
    let steps = (elements.count + step - 1) / step
    let results = Mutex<[Int: [Result]]>([:])
    DispatchQueue.concurrentPerform(iterations: steps) { index in
        let range = index * step..<min(elements.count, (index + 1) * step)
        let part = elements[range].map(transform)
        results.withLock { $0[index] = part }
    }
    return results.withLock { parts in (0..<steps).flatMap { parts[$0] ?? [] } }
}
