import Dispatch
import Synchronization

/// Transforms all elements in parallel and returns the results in the order of the elements.
///
/// `transform` runs concurrently on several threads.
///
/// - Parameter step: The number of consecutive elements that are transformed as one unit of work. Starting a unit
///   costs far more than reading a small file.
package func concurrentMap<Element: Sendable, Result: Sendable, Failure: Error>(
    _ elements: [Element], step: Int = 8, _ transform: @Sendable (Element) throws(Failure) -> Result
) throws(Failure) -> [Result] {
    let steps = (elements.count + step - 1) / step
    let results = Mutex<[Int: [Swift.Result<Result, Failure>]]>([:])
    DispatchQueue.concurrentPerform(iterations: steps) { index in
        let range = index * step..<min(elements.count, (index + 1) * step)
        let part = elements[range].map { element in
            Swift.Result { () throws(Failure) in try transform(element) }
        }
        results.withLock { $0[index] = part }
    }
    let parts = results.withLock { $0 }
    return try (0..<steps).flatMap { parts[$0] ?? [] }.map { result throws(Failure) in try result.get() }
}
