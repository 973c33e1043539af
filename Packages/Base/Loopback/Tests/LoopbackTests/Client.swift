import Foundation
import Testing

@testable import Loopback

/// A client that sends bytes unchanged.
final class Client {
    private let socket: Int32

    init(port: Int) throws {
        #if canImport(Darwin)
        let type = SOCK_STREAM
        #else
        let type = Int32(SOCK_STREAM.rawValue)
        #endif
        socket = Foundation.socket(AF_INET, type, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(socket, $0, length)
            }
        }
        try #require(result == 0)
    }

    deinit { LoopbackSocket.close(socket) }

    func send(_ text: String) { _ = LoopbackSocket.send(Data(text.utf8), to: socket) }

    /// Tells the server that nothing more comes. The client can still receive.
    func endSending() { _ = Foundation.shutdown(socket, Int32(SHUT_WR)) }

    /// What the server sends next, which is short enough for one packet; nil at the end.
    var next: String? { LoopbackSocket.receive(socket).map { String(decoding: $0, as: UTF8.self) } }

    /// Everything until the server closes the connection.
    var rest: String {
        var text = ""
        while let more = next { text += more }
        return text
    }
}
