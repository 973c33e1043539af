import Foundation
import Synchronization

/// A loop that two threads run at the same time, each for all rounds. The threads start together.
func twice(_ body: @escaping @Sendable (Int) -> Void) -> (Int) -> Void {
    { rounds in
        let ready = Counted()
        let done = DispatchGroup()
        for _ in 0..<2 {
            done.enter()
            let thread = Thread {
                ready.value.wrappingAdd(1, ordering: .sequentiallyConsistent)
                while ready.value.load(ordering: .sequentiallyConsistent) < 2 {}
                body(rounds)
                done.leave()
            }
            thread.start()
        }
        done.wait()
    }
}

private final class Counted: Sendable {
    let value = Atomic(0)
}
