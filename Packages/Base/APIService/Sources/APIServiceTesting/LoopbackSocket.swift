import Foundation

/// The socket calls that ``LoopbackServer`` needs.
enum LoopbackSocket {
    /// A socket that listens at a free port of 127.0.0.1, and the port.
    static func listen() throws -> (Int32, Int) {
        #if canImport(Darwin)
        let type = SOCK_STREAM
        #else
        let type = Int32(SOCK_STREAM.rawValue)
        #endif
        let listener = socket(AF_INET, type, 0)
        guard listener >= 0 else { throw failure() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
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
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// The next connection, or nil when the listener was shut down.
    static func accept(_ listener: Int32) -> Int32? {
        while true {
            let connection = Foundation.accept(listener, nil, nil)
            if connection >= 0 {
                #if canImport(Darwin)
                var on: Int32 = 1
                unsafe setsockopt(
                    connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
                #endif
                return connection
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// What has come, not empty, or nil when the other side has closed.
    static func receive(_ socket: Int32) -> Data? {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe recv(socket, &buffer, buffer.count, 0)
            if count > 0 { return Data(buffer[..<count]) }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    /// Sends all bytes. Returns false when the other side has gone.
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

    /// Ends both directions, and wakes who waits.
    static func shutdown(_ socket: Int32) { _ = Foundation.shutdown(socket, Int32(SHUT_RDWR)) }

    /// Gives the socket back.
    static func close(_ socket: Int32) { _ = Foundation.close(socket) }

    private static func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
