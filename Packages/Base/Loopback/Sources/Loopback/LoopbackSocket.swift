import Foundation

/// The socket calls that ``LoopbackServer`` needs.
enum LoopbackSocket {
    /// A socket that listens on a port of 127.0.0.1.
    struct Listener: Sendable {
        let port: Int
        let socket: Int32
        /// Writing a byte to this pipe wakes the thread that waits in ``accept(_:)``. (Shutting down a listening socket
        /// wakes that thread on Linux, but not on macOS. Closing the pipe does not wake the thread while a child
        /// process has a copy of the pipe.)
        fileprivate let wake = Pipe()
        /// A byte in this pipe tells ``stop(_:)`` that the socket is closed.
        fileprivate let closing = Pipe()
    }

    /// Returns a listening socket.
    ///
    /// - Parameter port: The port; 0 for any free one.
    static func listen(port: Int = 0) throws -> Listener {
        guard let port = UInt16(exactly: port) else { throw POSIXError(.EINVAL) }
        #if canImport(Darwin)
        let type = SOCK_STREAM
        #else
        let type = Int32(SOCK_STREAM.rawValue)
        #endif
        let listener = socket(AF_INET, type, 0)
        guard listener >= 0 else { throw failure() }
        hideFromChildren(listener)
        if port != 0 {
            // Connections of a server that has just ended keep its port busy for a minute otherwise.
            var on: Int32 = 1
            _ = unsafe setsockopt(
                listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, length)
            }
        }
        guard bound == 0, Foundation.listen(listener, 128) == 0 else {
            defer { close(listener) }
            throw failure()
        }
        let named = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(listener, $0, &length)
            }
        }
        guard named == 0 else {
            defer { close(listener) }
            throw failure()
        }
        // On macOS, a connection that is reset between `poll` and `accept` disappears. A blocking `accept` would then
        // wait for another connection, and ``stop(_:)`` could not end the wait.
        guard setBlocking(false, listener) else {
            defer { close(listener) }
            throw failure()
        }
        return Listener(port: Int(UInt16(bigEndian: address.sin_port)), socket: listener)
    }

    /// Waits for the next connection. Returns `nil` if ``stop(_:)`` was called.
    static func accept(_ listener: Listener) -> Int32? {
        while true {
            let isReady = LoopbackPoll.wait(for: listener.socket, unless: listener.wake.fileHandleForReading)
            guard let isReady else { return nil }
            guard isReady else { continue }
            if let connection = pending(listener) { return connection }
            guard [EWOULDBLOCK, EINTR, ECONNABORTED].contains(errno) else { return nil }
        }
    }

    /// Accepts a connection without waiting. Returns `nil` and sets `errno` if no connection is waiting.
    static func pending(_ listener: Listener) -> Int32? {
        let connection = Foundation.accept(listener.socket, nil, nil)
        guard connection >= 0 else { return nil }
        hideFromChildren(connection)
        #if canImport(Darwin)
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, size) == 0 else {
            // The client has already closed the connection.
            Foundation.close(connection)
            errno = ECONNABORTED
            return nil
        }
        // On macOS, a connection is non-blocking if its listener is.
        _ = setBlocking(true, connection)
        #endif
        return connection
    }

    /// Keeps child processes from inheriting a socket, which would stay open as long as they run.
    private static func hideFromChildren(_ socket: Int32) {
        let (setDescriptorFlags, closeOnExec): (Int32, Int32) = (2, 1)
        _ = fcntl(socket, setDescriptorFlags, closeOnExec)
    }

    private static func setBlocking(_ isBlocking: Bool, _ socket: Int32) -> Bool {
        let flags = fcntl(socket, getFlags)
        return fcntl(socket, setFlags, isBlocking ? flags & ~nonBlocking : flags | nonBlocking) == 0
    }

    /// `F_GETFL`, `F_SETFL` and `O_NONBLOCK` of `<fcntl.h>`, written out so that this file compiles for Apple platforms
    /// on Linux, where Apple's header is missing.
    private static let getFlags: Int32 = 3
    private static let setFlags: Int32 = 4
    #if canImport(Darwin)
    private static let nonBlocking: Int32 = 0x4
    #else
    private static let nonBlocking: Int32 = 0o4000
    #endif

    /// Makes ``accept(_:)`` return `nil`, and waits until its caller has closed the listener. From then on
    /// the port refuses connections.
    static func stop(_ listener: Listener) {
        try? listener.wake.fileHandleForWriting.write(contentsOf: Data([0]))
        _ = try? listener.closing.fileHandleForReading.read(upToCount: 1)
    }

    /// Closes the socket. No thread may be waiting in ``accept(_:)``.
    static func close(_ listener: Listener) {
        // On Linux, a child process has copies of all sockets until it runs its program. The port would accept
        // connections that long.
        shutdown(listener.socket)
        close(listener.socket)
        try? listener.closing.fileHandleForWriting.write(contentsOf: Data([0]))
    }

    /// Makes ``receive(_:)`` and ``send(_:to:)`` give up after this time; 0 for never.
    static func limitWaits(of socket: Int32, seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            _ = unsafe setsockopt(
                socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Waits for data. Returns at least one byte, or `nil` if the other side has disconnected or the wait is too long.
    static func receive(_ socket: Int32) -> Data? {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe recv(socket, &buffer, buffer.count, 0)
            if count > 0 { return Data(buffer[..<count]) }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    /// Sends all bytes. Returns false if the other side has disconnected or does not read them in time.
    static func send(_ bytes: Data, to socket: Int32) -> Bool {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = [UInt8](bytes)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Foundation.send(socket, $0.baseAddress, $0.count, flags)
            }
            if count < 0 {
                guard errno == EINTR else { return false }
                continue
            }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Shuts down both directions and wakes blocked threads.
    static func shutdown(_ socket: Int32) { _ = Foundation.shutdown(socket, Int32(SHUT_RDWR)) }

    /// Closes the socket.
    static func close(_ socket: Int32) { _ = Foundation.close(socket) }

    private static func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
