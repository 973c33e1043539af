import Dispatch
import Foundation
import ModuleKit
import Synchronization

/// A server on loopback that stores what is put to it, or misbehaves.
final class CacheServer: Sendable {
    enum Behaviour: Sendable {
        case works
        /// Answers every GET with something that is not a record.
        case rubbish
        /// Accepts connections, but never answers.
        case silent
        /// Answers with this status.
        case status(Int)
    }

    private struct State {
        var files: [String: Data] = [:]
        var requests: [String] = []
        var behaviour = Behaviour.works
        var open: [Int32] = []
        var isStopped = false
    }

    /// Whether this machine has `curl`.
    static let hasClient = (try? Command.run(["curl", "--version"], in: "/"))?.status == 0

    let address: String
    private let socket: Int32
    private let place: sockaddr_in
    private let end = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    init() throws {
        let socket = Self.makeSocket()
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let isBound = unsafe Self.withAddress(&place) { address, size in
            var size = size
            return unsafe bind(socket, address, size) == 0 && listen(socket, 16) == 0
                && getsockname(socket, address, &size) == 0
        }
        guard socket >= 0, isBound else { throw CocoaError(.fileReadUnknown) }
        (self.socket, self.place) = (socket, place)
        address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
        Thread.detachNewThread { [self] in
            while case let connection = accept(socket, nil, nil), connection >= 0 {
                if state.withLock({ $0.isStopped }) {
                    close(connection)
                    break
                }
                serve(connection)
            }
            // Only this thread closes the socket. Otherwise it could accept connections of another server, whose socket
            // has got the same number.
            close(socket)
            end.signal()
        }
    }

    private static func makeSocket() -> Int32 {
        #if os(Linux)
        Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private static func withAddress<Result>(
        _ place: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe withUnsafeMutablePointer(to: &place) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe body(address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    var behaviour: Behaviour {
        get { state.withLock { $0.behaviour } }
        set { state.withLock { $0.behaviour = newValue } }
    }

    /// The first lines and the authorization of all requests.
    var requests: [String] { state.withLock { $0.requests } }

    /// Refuses connections from now on.
    func stop() {
        state.withLock { $0.isStopped = true }
        // A connection wakes the thread that waits for one.
        let waker = Self.makeSocket()
        var place = place
        _ = unsafe Self.withAddress(&place) { address, size in unsafe connect(waker, address, size) }
        end.wait()
        close(waker)
        for connection in state.withLock({ $0.open }) { close(connection) }
    }

    private func serve(_ connection: Int32) {
        let behaviour = behaviour
        if case .silent = behaviour { return state.withLock { $0.open.append(connection) } }
        defer { close(connection) }
        var request: [UInt8] = []
        var body: Data?
        var length = 0
        while body == nil || (body?.count ?? 0) < length {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            request += buffer.prefix(count)
            guard let end = request.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            let head = String(decoding: request[..<end.lowerBound], as: UTF8.self)
            length = head.firstMatch(of: /(?i)content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
            if body == nil, head.contains(/(?i)expect: 100/) {
                send("HTTP/1.1 100 Continue\r\n\r\n", connection)
            }
            body = Data(request[end.upperBound...])
        }
        let head = String(decoding: request, as: UTF8.self)
        let words = head.split(separator: " ")
        let token = head.firstMatch(of: /(?i)authorization: ([^\r]*)/).map { " " + $0.1 } ?? ""
        state.withLock { $0.requests.append("\(words[0]) \(words[1])" + token) }
        answer(String(words[0]), String(words[1]), body ?? Data(), behaviour, connection)
    }

    private func answer(
        _ method: String, _ path: String, _ body: Data, _ behaviour: Behaviour, _ connection: Int32
    ) {
        var (status, content) = (200, Data())
        switch behaviour {
        case .status(let number): status = number
        case .rubbish: content = Data("<html>Welcome</html>".utf8)
        default:
            if method == "PUT" { state.withLock { $0.files[path] = body } }
            let stored = state.withLock { $0.files[path] }
            (status, content) = (stored == nil ? 404 : 200, method == "PUT" ? Data() : stored ?? Data())
        }
        send(
            "HTTP/1.1 \(status) Status\r\nContent-Length: \(content.count)\r\nConnection: close\r\n\r\n",
            connection)
        write(content, connection)
    }

    private func send(_ text: String, _ connection: Int32) { write(Data(text.utf8), connection) }

    private func write(_ data: Data, _ connection: Int32) {
        let bytes = [UInt8](data)
        _ = unsafe Foundation.send(connection, bytes, bytes.count, 0)
    }
}
