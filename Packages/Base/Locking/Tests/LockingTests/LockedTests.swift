import Dispatch
import Locking
import Testing

@Suite("A locked value")
struct LockedTests {
    private struct Full: Error {}

    private final class Shelf: Sendable {
        let books = Locked([Int]())
    }

    @Test("Concurrent changes to a locked value exclude each other")
    func exclusion() {
        let shelf = Shelf()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<1000 { shelf.books.withLock { $0.append(thread * 1000 + round) } }
        }
        #expect(shelf.books.withLock { $0.sorted() } == Array(0..<8000))
    }

    @Test("The method withLock returns the body's result, rethrows the body's error, and keeps its changes")
    func results() throws {
        let shelf = Shelf()
        #expect(shelf.books.withLock { $0.count } == 0)
        #expect(throws: Full.self) {
            try shelf.books.withLock { books throws(Full) in
                books.append(1)
                throw Full()
            }
        }
        #expect(shelf.books.withLock { $0 } == [1])
    }
}
