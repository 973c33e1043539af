import Foundation
import Testing

@testable import APIServiceTesting

@Suite("The loopback server's socket")
struct LoopbackSocketTests {
    @Test("Accepting does not wait if the connection that poll reported is gone")
    func gone() throws {
        let listener = try LoopbackSocket.listen()
        defer { LoopbackSocket.close(listener) }
        // Otherwise the next line would wait forever.
        try #require(fcntl(listener.socket, F_GETFL) & O_NONBLOCK != 0)
        #expect(LoopbackSocket.pending(listener) == nil)
        #expect(errno == EAGAIN)
    }
}
