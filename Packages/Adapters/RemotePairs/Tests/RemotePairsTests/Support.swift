import Foundation
import RemotePairs

/// A server on loopback and a connection to it, running for one test.
struct Loopback {
    let server: RemoteServer
    let address: String
    let connection: RemoteConnection
    var door: DoorRemoteClient { DoorRemoteClient(connection: connection) }

    /// Runs `body` while `door` is served on loopback.
    ///
    /// - Parameters:
    ///   - through: Returns the address to connect to, given the server's address.
    static func serve<Value: Sendable>(
        _ door: some DoorApiProtocol, options: RemoteServer.Options = .patient,
        calling: RemoteConnection.Options = .patient, security: RemoteSecurity = .loopback,
        through: (String) async throws -> String = { $0 },
        _ body: @escaping @Sendable (Loopback) async throws -> Value
    ) async throws -> Value {
        let server = try RemoteServer(
            [DoorRemote.service(door)], on: RemoteAddresses("127.0.0.1:0"), security: security,
            options: options)
        return try await running(server.run, stop: server.stop) {
            let address = try await server.address
            let connection = try RemoteConnection(
                to: RemoteAddresses(try await through(address)), security: security, options: calling)
            return try await running(connection.run, stop: connection.stop) {
                try await body(Loopback(server: server, address: address, connection: connection))
            }
        }
    }
}

/// Runs a service during `body`, and then stops it.
func running<Value>(
    _ run: @escaping @Sendable () async throws -> Void, stop: () -> Void, _ body: () async throws -> Value
) async throws -> Value {
    let running = Task { try await run() }
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    stop()
    guard case .success(let value) = result else {
        running.cancel()
        _ = await running.result
        return try result.get()
    }
    try await running.value
    return value
}

/// An event that a test's tasks wait for. The event may happen before they begin to wait.
final class Moment: Sendable {
    private let moment = AsyncStream.makeStream(of: Never.self)

    func happens() { moment.continuation.finish() }

    /// Returns when the event has happened or the task is cancelled.
    func wait() async { for await _ in moment.stream {} }
}

extension RemoteServer.Options {
    /// Options for tests on a busy machine.
    static var patient: Self {
        var options = Self()
        options.grace = .seconds(60)
        return options
    }
}

extension RemoteConnection.Options {
    static var patient: Self { .deadline(.seconds(60)) }

    static func deadline(_ deadline: Duration) -> Self {
        var options = Self()
        options.deadline = deadline
        return options
    }
}

/// Returns the error that `body` throws.
func thrown(_ body: () async throws -> Void) async -> (any Error)? {
    do { try await body() } catch { return error }
    return nil
}

extension DoorApiError {
    /// The text of a network failure, or the empty string.
    var text: String {
        if case .unreachable(let text) = self { text } else { "" }
    }
}
