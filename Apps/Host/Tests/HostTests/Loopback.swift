import Foundation
import GateApi
import GateRemote
import RemotePairs

/// Runs a service while `body` runs.
func running<Value: Sendable>(
    _ run: @escaping @Sendable () async throws -> Void, stop: @escaping @Sendable () -> Void,
    _ body: () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask(operation: run)
        let value = try await body()
        stop()
        try await group.waitForAll()
        return value
    }
}

/// Runs a server in this process while `body` runs, and passes the server's address to `body`.
func serving<Value: Sendable>(
    _ service: RemoteService, _ body: (String) async throws -> Value
) async throws -> Value {
    let server = try RemoteServer([service], on: RemoteAddresses("127.0.0.1:0"))
    return try await running(server.run, stop: server.stop) { try await body(server.address) }
}

/// Runs `body` with a client of the Gate at these addresses.
func calling<Value: Sendable>(
    _ addresses: String, options: RemoteConnection.Options = .init(),
    _ body: (any GateApiProtocol) async throws -> Value
) async throws -> Value {
    let connection = try RemoteConnection(to: RemoteAddresses(addresses), options: options)
    return try await running(connection.run, stop: connection.stop) {
        try await body(GateRemoteClient(connection: connection))
    }
}
