import Foundation
import Testing

@testable import Loopback

@Suite("The loopback server's socket")
struct LoopbackSocketTests {
    @Test("Accepting does not block if the connection that poll reported is gone")
    func gone() throws {
        let listener = try LoopbackSocket.listen()
        defer { LoopbackSocket.close(listener) }
        // On a blocking socket, the next line would wait forever.
        try #require(fcntl(listener.socket, F_GETFL) & O_NONBLOCK != 0)
        #expect(LoopbackSocket.pending(listener) == nil)
        #expect(errno == EAGAIN)
    }

    @Test("Breaking off a closed connection does not affect another socket that has got its number")
    func reusedNumber() throws {
        let listener = try LoopbackSocket.listen()
        defer { LoopbackSocket.close(listener) }
        // Other tests, which run at the same time, use low numbers.
        let high = Int32(min(sysconf(Int32(_SC_OPEN_MAX)), 1024) - 10)
        let number = fcntl(listener.socket, F_DUPFD, high)
        let connection = LoopbackServer.Connection(number)
        connection.close()
        try #require(fcntl(listener.socket, F_DUPFD, number) == number)
        defer { LoopbackSocket.close(number) }
        connection.breakOff()
        // A listener that has been shut down fails with EINVAL and refuses connections.
        #expect(LoopbackSocket.pending(listener) == nil)
        #expect(errno == EAGAIN)
    }

    #if !canImport(Darwin)
    @Test("A closed listener refuses connections although a child process has a copy of it")
    func copied() throws {
        let listener = try LoopbackSocket.listen()
        let copy = dup(listener.socket)
        defer { LoopbackSocket.close(copy) }
        LoopbackSocket.close(listener)
        #expect(Foundation.accept(copy, nil, nil) == -1)
        #expect(errno == EINVAL)
    }
    #endif
}
