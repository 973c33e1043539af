import Dispatch
import Synchronization

/// Transforms all elements in parallel and returns the results in the order of the elements.
///
/// `transform` runs concurrently on several threads.
///
/// - Parameter step: The number of neighbouring elements that are transformed as one unit of work. Starting a
///   unit costs far more than reading a small file.
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
