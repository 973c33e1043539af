import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import RemotePairs

// Compares calls of this package with the same calls of grpc-swift alone. Both servers run in this process, and rounds
// of calls alternate, so that both see the same load of the machine. Each number is the median of all rounds.

struct Question: Codable, Sendable {
    var passenger = "Mia"
    var station = "Zoo"
    var key = UUID()
}

struct Passage: Codable, Sendable {
    let number: Int
    let question: Question
}

// MARK: grpc-swift alone

struct JSON<Message: Codable & Sendable>: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: Message) throws -> Bytes {
        Bytes(try JSONEncoder().encode(message))
    }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Message {
        try JSONDecoder().decode(Message.self, from: unsafe bytes.withUnsafeBytes { unsafe Data($0) })
    }
}

let method = MethodDescriptor(fullyQualifiedService: "Bare", method: "pass", type: .unary)
var options = CallOptions.defaults
options.timeout = .seconds(10)
var router = RPCRouter<HTTP2ServerTransport.Posix>()
router.registerHandler(forMethod: method, deserializer: JSON<Question>(), serializer: JSON<Passage>()) {
    request, _ in
    let question = try await ServerRequest(stream: request).message
    return StreamingServerResponse(
        single: ServerResponse(message: Passage(number: 1, question: question)))
}
let bareServer = GRPCServer(
    transport: HTTP2ServerTransport.Posix(
        address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext),
    router: router)
Task { try await bareServer.serve() }
let bareClient = GRPCClient(
    transport: try HTTP2ClientTransport.Posix(
        target: .ipv4(
            address: "127.0.0.1", port: try await bareServer.transport.listeningAddress.ipv4?.port ?? 0),
        transportSecurity: .plaintext))
Task { try await bareClient.runConnections() }

@Sendable func bare() async throws {
    _ = try await bareClient.unary(
        request: ClientRequest(message: Question()), descriptor: method, serializer: JSON<Question>(),
        deserializer: JSON<Passage>(), options: options
    ) { try $0.message }
}

// MARK: This package

let pair = RemotePair(
    "Gate", service: "GateApi.GateApiProtocol", api: RemoteVersion(1, 0, 0), imp: RemoteVersion(1, 0, 0),
    floor: RemoteVersion(1, 0, 0))
let once = RemoteCall<Passage, RemoteError, Question>("once(_:)", of: pair)
let repeatable = RemoteCall<Passage, RemoteError, Question>("repeatable(_:)", of: pair, .repeatable)
var service = RemoteService(pair)
service.add(once) { Passage(number: 1, question: $0) }
service.add(repeatable) { Passage(number: 1, question: $0) }
let server = try RemoteServer([service], on: RemoteAddresses("127.0.0.1:0"))
Task { try await server.run() }
let connection = try RemoteConnection(to: RemoteAddresses(try await server.address))
Task { try await connection.run() }

@Sendable func calledOnce() async throws { _ = try await connection.call(once, Question()) }
@Sendable func calledRepeatably() async throws { _ = try await connection.call(repeatable, Question()) }

// MARK: Measuring

/// Returns the microseconds of one of many calls, with `callers` calls at a time.
func round(_ callers: Int, _ call: @escaping @Sendable () async throws -> Void) async throws -> Double {
    let calls = 2048 / callers
    let began = ContinuousClock.now
    if callers == 1 {
        for _ in 0..<300 { try await call() }
        return began.duration(to: .now) / .microseconds(300)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<callers { group.addTask { for _ in 0..<calls { try await call() } } }
        try await group.waitForAll()
    }
    return began.duration(to: .now) / .microseconds(calls * callers)
}

func median(_ values: [Double]) -> String { String(format: "%.2f", values.sorted()[values.count / 2]) }

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 31
for (name, callers, call) in [
    ("one call at a time", 1, calledOnce), ("one repeatable call at a time", 1, calledRepeatably),
    ("64 calls at a time", 64, calledOnce),
] {
    for _ in 0..<3 { _ = (try await round(callers, bare), try await round(callers, call)) }
    var (bares, ours, ratios): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<rounds {
        bares.append(try await round(callers, bare))
        ours.append(try await round(callers, call))
        ratios.append(ours[ours.count - 1] / bares[bares.count - 1])
    }
    print("\(name): ratio \(median(ratios)) (\(median(ours)) us, grpc-swift alone \(median(bares)) us)")
}
