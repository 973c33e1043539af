import Foundation
import Locking

/// A small HTTP/1.1 server on the loopback interface, for tests of clients and for tools on this machine. The server sends
/// exactly the bytes that its handler passes to it, even invalid ones. Every connection has its own thread, which the handler may block.
///
/// All operations are thread-safe. The server stops when ``stop()`` is called or when it is deallocated.
public final class LoopbackServer: Sendable {
    /// A received request.
    public struct Request: Sendable {
        /// The method.
        public let method: String
        /// The path, including its query.
        public let target: String
        /// The header fields, with their names in lower case.
        public let fields: [String: String]
        /// The body.
        public let body: Data

        /// The path without its query.
        public var path: String { String(target.prefix { $0 != "?" }) }
        /// The query, without the "?".
        public var query: String { String(target.drop { $0 != "?" }.dropFirst()) }
    }

    /// Responds to a request. Returns whether the connection stays open.
    public typealias Handler = @Sendable (Request, Connection) -> Bool

    /// A front end that clients connect to instead of the server, for example for TLS.
    public struct Front: Sendable {
        /// Creates the front end of a server that listens on `port`. Called before the server accepts connections.
        public typealias Maker = @Sendable (_ port: Int) throws -> Front

        let base: URL
        let stop: @Sendable () -> Void

        /// Creates a front end with the URL `base`. `stop` is called when the server stops.
        public init(base: URL, stop: @escaping @Sendable () -> Void) { (self.base, self.stop) = (base, stop) }
    }

    /// The port that the server listens on.
    public let port: Int
    private let front: Front?
    private let listener: LoopbackSocket.Listener
    private let core: Core

    private struct Connections: Sendable {
        var open: [ObjectIdentifier: Connection] = [:]
        var isStopped = false
    }

    /// The state that connection threads use, held separately so that these threads do not keep the server alive.
    private final class Core: Sendable {
        let handler: Handler
        let keepsRequests: Bool
        let sizeLimit: Int
        let requests = Locked<[Request]>([])
        let connections = Locked(Connections())
        init(_ handler: @escaping Handler, keepsRequests: Bool, sizeLimit: Int) {
            (self.handler, self.keepsRequests, self.sizeLimit) = (handler, keepsRequests, sizeLimit)
        }
    }

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - keepsRequests: Whether ``requests`` records the requests. Pass `false` for a very large number of requests.
    ///   - sizeLimit: The most bytes of a request's head, and of its body. The server closes the connection of a larger
    ///     request. Set this limit and the next two if unknown clients can connect.
    ///   - connectionLimit: The most connections, each of which has a thread. The server closes a further one at once.
    ///   - silenceLimit: For how many seconds a client may send nothing while the server waits for more of a request, or
    ///     read nothing that the server sends. The server then closes the connection. 0 for no limit. The limit is for each
    ///     pause, not for the request, so a client that sends a byte now and then keeps its connection and its thread.
    ///   - front: Creates a front end for the server.
    ///   - handler: Responds to requests, on the thread of the connection.
    /// - Throws: `POSIXError` if the server cannot listen, or an error of `front`.
    public init(
        port: Int = 0, keepsRequests: Bool = true, sizeLimit: Int = .max, connectionLimit: Int = .max,
        silenceLimit: Int = 0, front: Front.Maker? = nil, _ handler: @escaping Handler
    ) throws {
        core = Core(handler, keepsRequests: keepsRequests, sizeLimit: sizeLimit)
        let listener = try LoopbackSocket.listen(port: port)
        do {
            self.front = try front?(listener.port)
        } catch {
            LoopbackSocket.close(listener)
            throw error
        }
        (self.listener, self.port) = (listener, listener.port)
        let core = core
        Thread.detachNewThread {
            while let socket = LoopbackSocket.accept(listener) {
                LoopbackSocket.limitWaits(of: socket, seconds: silenceLimit)
                let connection = Connection(socket, sizeLimit: core.sizeLimit)
                let (isStopped, isOpen) = core.connections.withLock { state in
                    let isOpen = !state.isStopped && state.open.count < connectionLimit
                    if isOpen { state.open[ObjectIdentifier(connection)] = connection }
                    return (state.isStopped, isOpen)
                }
                if isOpen {
                    Thread.detachNewThread { Self.serve(connection, core) }
                } else {
                    connection.close()
                }
                if isStopped { break }
            }
            LoopbackSocket.close(listener)
        }
    }

    deinit { stop() }

    /// The received requests, in order.
    public var requests: [Request] { core.requests.withLock { $0 } }

    /// Returns the URL of a path on this server.
    public func url(_ target: String) -> URL {
        let base = front?.base.absoluteString ?? "http://127.0.0.1:\(port)"
        guard let url = URL(string: base + target) else {
            preconditionFailure("\(target) is not a valid URL target")
        }
        return url
    }

    /// Closes all connections and accepts no more.
    public func stop() {
        let open = core.connections.withLock { state in
            defer { (state.open, state.isStopped) = ([:], true) }
            return state.isStopped ? nil : state.open
        }
        guard let open else { return }
        front?.stop()
        LoopbackSocket.stop(listener)
        for connection in open.values { connection.breakOff() }
    }

    private static func serve(_ connection: Connection, _ core: Core) {
        while let request = connection.request() {
            if core.keepsRequests { core.requests.withLock { $0.append(request) } }
            guard core.handler(request, connection) else { break }
        }
        core.connections.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(connection)) }
        connection.close()
    }

    /// A connection to a client.
    public final class Connection: Sendable {
        private let socket: Int32
        private let received = Locked(Data())
        private let isClosed = Locked(false)
        private let sizeLimit: Int

        init(_ socket: Int32, sizeLimit: Int = .max) { (self.socket, self.sizeLimit) = (socket, sizeLimit) }

        /// Sends bytes unchanged. Returns false if the client has disconnected.
        @discardableResult
        public func send(_ bytes: Data) -> Bool { LoopbackSocket.send(bytes, to: socket) }

        /// Sends text unchanged. Lines must end with CR LF.
        @discardableResult
        public func send(_ text: String) -> Bool { send(Data(text.utf8)) }

        /// Sends the last bytes of the connection unchanged. Returns false: return it from the handler to close the
        /// connection.
        public func sendLast(_ bytes: Data) -> Bool {
            send(bytes)
            return false
        }

        /// Sends the last text of the connection unchanged. Returns false: return it from the handler to close the
        /// connection. Lines must end with CR LF.
        public func sendLast(_ text: String) -> Bool { sendLast(Data(text.utf8)) }

        /// Sends a response with its length, and with the reason phrase of its status code. Returns false if the client
        /// has disconnected.
        public func answer(_ status: Int, _ fields: [String: String] = [:], _ body: Data = Data()) -> Bool {
            var head = "HTTP/1.1 \(status) \(ReasonPhrase.of(status))\r\n"
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
            if status != 304, status != 204 { head += "Content-Length: \(body.count)\r\n" }
            return send(Data((head + "\r\n").utf8) + body)
        }

        /// Waits until the client has closed the connection.
        public func waitForClose() { while LoopbackSocket.receive(socket) != nil {} }

        /// Disconnects the client, unless the connection is closed. The number of a closed socket may belong to another
        /// socket, such as the listener of another server.
        func breakOff() { isClosed.withLock { if !$0 { LoopbackSocket.shutdown(socket) } } }

        /// Closes the connection.
        func close() {
            isClosed.withLock { isClosed in
                if !isClosed { LoopbackSocket.close(socket) }
                isClosed = true
            }
        }

        /// Returns the next request; `nil` if the client has disconnected.
        func request() -> Request? {
            guard let head = read(through: Data("\r\n\r\n".utf8)) else { return nil }
            var lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter {
                !$0.isEmpty
            }
            guard !lines.isEmpty else { return nil }
            let start = lines.removeFirst().split(separator: " ")
            guard start.count == 3 else { return nil }
            var fields: [String: String] = [:]
            for line in lines {
                guard let colon = line.firstIndex(of: ":") else { continue }
                fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                    in: .whitespaces)
            }
            if fields["expect"]?.lowercased() == "100-continue" { send("HTTP/1.1 100 Continue\r\n\r\n") }
            guard let body = body(fields) else { return nil }
            return Request(method: String(start[0]), target: String(start[1]), fields: fields, body: body)
        }

        private func body(_ fields: [String: String]) -> Data? {
            if fields["transfer-encoding"]?.lowercased() == "chunked" {
                var body = Data()
                while let line = read(through: Data("\r\n".utf8)),
                    let size = Int(
                        String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines),
                        radix: 16)
                {
                    guard size >= 0, size < Int.max - 2, size <= sizeLimit - body.count,
                        let chunk = read(count: size + 2)
                    else { return nil }
                    if size == 0 { return body }
                    body += chunk.dropLast(2)
                }
                return nil
            }
            let count = max(0, fields["content-length"].flatMap { Int($0) } ?? 0)
            return count <= sizeLimit ? read(count: count) : nil
        }

        private func read(through end: Data) -> Data? {
            while true {
                let bytes = received.withLock { $0 }
                let range = bytes.range(of: end)
                // If the end is not there, the next byte may complete it.
                let count = range?.upperBound ?? bytes.count + 1
                guard count - end.count <= sizeLimit else { return nil }
                if range != nil { return take(count) }
                guard let more = LoopbackSocket.receive(socket) else { return nil }
                received.withLock { $0 += more }
            }
        }

        private func read(count: Int) -> Data? {
            while received.withLock({ $0.count }) < count {
                guard let more = LoopbackSocket.receive(socket) else { return nil }
                received.withLock { $0 += more }
            }
            return take(count)
        }

        private func take(_ count: Int) -> Data {
            received.withLock { data in
                defer { data = Data(data.dropFirst(count)) }
                return Data(data.prefix(count))
            }
        }
    }
}
