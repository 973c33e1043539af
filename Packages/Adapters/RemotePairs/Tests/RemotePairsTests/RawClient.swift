import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Testing

/// A gRPC client that sends arbitrary bytes to the sample pair.
struct RawClient {
    static let headers: Metadata = ["pair-version": "api=1.2.0 floor=1.1.0"]
    let client: GRPCClient<HTTP2ClientTransport.Posix>

    static func connected<Value>(
        to address: String, _ body: (RawClient) async throws -> Value
    ) async throws -> Value {
        let port = try #require(Int(address.split(separator: ":").last ?? ""))
        let client = GRPCClient(
            transport: try HTTP2ClientTransport.Posix(
                target: .ipv4(address: "127.0.0.1", port: port), transportSecurity: .plaintext))
        return try await running(client.runConnections, stop: client.beginGracefulShutdown) {
            try await body(RawClient(client: client))
        }
    }

    func call(
        _ method: String, _ message: String, headers: Metadata = headers
    ) async throws -> String {
        try await call(method, [Data(message.utf8)], headers: headers)
    }

    /// Sends any number of messages, and returns the answer.
    func call(_ method: String, _ messages: [Data], headers: Metadata = headers) async throws -> String {
        var options = CallOptions.defaults
        options.timeout = .seconds(60)
        return try await client.clientStreaming(
            request: StreamingClientRequest(metadata: headers) { writer in
                for message in messages { try await writer.write(message) }
            },
            descriptor: MethodDescriptor(fullyQualifiedService: "DoorApi.DoorApiProtocol", method: method),
            serializer: Plain(), deserializer: Plain(), options: options
        ) { String(bytes: try $0.message, encoding: .utf8) ?? "" }
    }

    private struct Plain: MessageSerializer, MessageDeserializer {
        func serialize<Contents: GRPCContiguousBytes>(_ message: Data) -> Contents { Contents(message) }
        func deserialize<Contents: GRPCContiguousBytes>(_ contents: Contents) -> Data {
            unsafe contents.withUnsafeBytes { unsafe Data($0) }
        }
    }
}
