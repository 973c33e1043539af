import Foundation
import TestSupport
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
        let (connection, code) = (LoopbackSocket.pending(listener), errno)
        #expect(connection == nil && code == EAGAIN)
    }

    /// A copy of a listener's descriptor, with a number `distance` below the largest one. Other tests, which run at the same
    /// time, use low numbers.
    private func copy(of listener: LoopbackSocket.Listener, below distance: Int) throws -> Int32 {
        let high = Int32(min(sysconf(Int32(_SC_OPEN_MAX)), 1024) - distance)
        let number = fcntl(listener.socket, F_DUPFD, high)
        try #require(number >= high)
        return number
    }

    @Test("Breaking off a closed connection does not affect another socket that has got its number")
    func reusedNumber() throws {
        let listener = try LoopbackSocket.listen()
        defer { LoopbackSocket.close(listener) }
        let number = try copy(of: listener, below: 10)
        let connection = LoopbackServer.Connection(number)
        connection.close()
        try #require(fcntl(listener.socket, F_DUPFD, number) == number)
        defer { LoopbackSocket.close(number) }
        connection.breakOff()
        // A listener that has been shut down fails with EINVAL and refuses connections.
        let (pending, code) = (LoopbackSocket.pending(listener), errno)
        #expect(pending == nil && code == EAGAIN)
    }

    @Test("Child processes inherit neither a listener nor a connection")
    func children() throws {
        let listener = try LoopbackSocket.listen()
        defer { LoopbackSocket.close(listener) }
        let client = try Client(port: listener.port)
        defer { withExtendedLifetime(client) {} }
        let connection = try #require(LoopbackSocket.accept(listener))
        defer { LoopbackSocket.close(connection) }
        for socket in [listener.socket, connection] { #expect(fcntl(socket, F_GETFD) == FD_CLOEXEC) }
        // The connection blocks, although its listener does not.
        #expect(fcntl(connection, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test("A listener is reached from this machine only")
    func address() throws {
        let listener = try LoopbackSocket.listen()
        defer { LoopbackSocket.close(listener) }
        var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(listener.socket, $0, &length)
            }
        }
        #expect(status == 0 && address.sin_addr.s_addr == in_addr_t(0x7f00_0001).bigEndian)
    }

    @Test("A listener has the port that it asks for, which another one cannot have")
    func port() throws {
        // System-chosen ports are higher.
        let ports = 20_000..<20_100
        let free = ports.lazy.map { try? LoopbackSocket.listen(port: $0) }.first { $0 != nil }
        let listener = try #require(free ?? nil)
        defer { LoopbackSocket.close(listener) }
        #expect(ports.contains(listener.port))
        #expect(throws: POSIXError(.EADDRINUSE)) { try LoopbackSocket.listen(port: listener.port) }
        #expect(throws: POSIXError(.EINVAL)) { try LoopbackSocket.listen(port: 65_536) }
        var (isOn, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        #expect(unsafe getsockopt(listener.socket, SOL_SOCKET, SO_REUSEADDR, &isOn, &length) == 0)
        #expect(isOn != 0)
        // The system's choice is a port that no earlier connection uses.
        let chosen = try LoopbackSocket.listen()
        defer { LoopbackSocket.close(chosen) }
        #expect(unsafe getsockopt(chosen.socket, SOL_SOCKET, SO_REUSEADDR, &isOn, &length) == 0)
        #expect(isOn == 0)
    }

    @Test("A wait has the limit in seconds, and none with 0", arguments: [0, 1, 60])
    func limits(seconds: Int) throws {
        let listener = try LoopbackSocket.listen()
        defer { LoopbackSocket.close(listener) }
        LoopbackSocket.limitWaits(of: listener.socket, seconds: seconds)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            var (limit, length) = (timeval(tv_sec: -1, tv_usec: -1), socklen_t(MemoryLayout<timeval>.size))
            #expect(unsafe getsockopt(listener.socket, SOL_SOCKET, option, &limit, &length) == 0)
            #expect(limit.tv_sec == seconds && limit.tv_usec == 0)
        }
    }

    @Test("Sending on a connection that has been shut down fails", .timeLimit(.minutes(10)), .waitLimit)
    func shutDown() throws {
        let listener = try LoopbackSocket.listen()
        defer { LoopbackSocket.close(listener) }
        let client = try Client(port: listener.port)
        defer { withExtendedLifetime(client) {} }
        let connection = LoopbackServer.Connection(try #require(LoopbackSocket.accept(listener)))
        defer { connection.close() }
        #expect(connection.send("a"))
        #expect(client.next == "a")
        connection.breakOff()
        #expect(!connection.send("a"))
    }

    @Test(
        "The wait for a client's end reads everything that the client sends", .timeLimit(.minutes(10)),
        .waitLimit)
    func waitsForClose() throws {
        let listener = try LoopbackSocket.listen()
        defer { LoopbackSocket.close(listener) }
        let port = listener.port
        Thread.detachNewThread {
            guard let client = try? Client(port: port) else { return }
            // More than one call of `receive` returns.
            client.send(String(repeating: "x", count: 200_000))
        }
        let socket = try #require(LoopbackSocket.accept(listener))
        defer { LoopbackSocket.close(socket) }
        LoopbackServer.Connection(socket).waitForClose()
        #expect(LoopbackSocket.receive(socket) == nil)
    }

    @Test("Stopping a listener waits until its thread has closed it", .timeLimit(.minutes(10)), .waitLimit)
    func stops() throws {
        let listener = try LoopbackSocket.listen(), isClosed = Shared(false)
        Thread.detachNewThread {
            while LoopbackSocket.accept(listener) != nil {}
            for _ in 0..<1_000 { sched_yield() }
            isClosed.value = true
            LoopbackSocket.close(listener)
        }
        LoopbackSocket.stop(listener)
        #expect(isClosed.value)
    }

    @Test("A closed listener gives its descriptor back")
    func closed() throws {
        let listener = try LoopbackSocket.listen()
        defer { LoopbackSocket.close(listener) }
        let number = try copy(of: listener, below: 20)
        LoopbackSocket.close(LoopbackSocket.Listener(port: listener.port, socket: number))
        let (flags, code) = (fcntl(number, F_GETFD), errno)
        #expect(flags == -1 && code == EBADF)
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("A process without standard input, in which a socket gets the number 0, can listen")
    func noInput() async {
        await #expect(processExitsWith: .success) {
            LoopbackSocket.close(STDIN_FILENO)
            let listener = try LoopbackSocket.listen()
            #expect(listener.socket == STDIN_FILENO)
            LoopbackSocket.close(listener.socket)
        }
    }

    @Test("A process without standard input, in which a connection gets the number 0, can accept it")
    func noInputWhenAccepting() async {
        await #expect(processExitsWith: .success) {
            WaitLimit.startInExitTest()
            let listener = try LoopbackSocket.listen()
            let client = try Client(port: listener.port)
            LoopbackSocket.close(STDIN_FILENO)
            #expect(LoopbackSocket.accept(listener) == STDIN_FILENO)
            withExtendedLifetime(client) {}
        }
    }

    @Test("A process without a free descriptor gets the system's error")
    func noDescriptor() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            #if canImport(Darwin)
            let files = RLIMIT_NOFILE
            #else
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            #endif
            try #require(unsafe getrlimit(files, &limit) == 0)
            limit.rlim_cur = 0
            try #require(unsafe setrlimit(files, &limit) == 0)
            #expect(throws: POSIXError(.EMFILE)) { try LoopbackSocket.listen() }
        }
    }
    #endif

    @Test("Every registered status code has a reason phrase, and no other code has one")
    func phrases() {
        let registered: [ClosedRange<Int>] = [
            100...101, 200...206, 300...305, 307...308, 400...417, 421...422, 426...426, 428...429, 431...431,
            500...505, 511...511,
        ]
        #expect((0...999).filter { !ReasonPhrase.of($0).isEmpty } == registered.flatMap { Array($0) })
    }

    #if !canImport(Darwin)
    @Test("A closed listener refuses connections although a child process has a copy of it")
    func copied() throws {
        let listener = try LoopbackSocket.listen()
        let copy = dup(listener.socket)
        defer { LoopbackSocket.close(copy) }
        LoopbackSocket.close(listener)
        let (connection, code) = (Foundation.accept(copy, nil, nil), errno)
        #expect(connection == -1 && code == EINVAL)
    }
    #endif
}
