import Foundation
import GRPCCore
import NIOCore
import NIOPosix
import TestSupport
import Testing

@Suite("Malformed messages", .oneAtATime)
struct MalformedTests {
    @Test("The messages on the wire are plain JSON")
    func wire() async throws {
        var door = TestDoor()
        door.onRing = { _ throws(DoorApiError) in throw .closed(until: 2) }
        try await Loopback.serve(door) { loopback in
            try await RawClient.connected(to: loopback.address) { client in
                let code = try await client.call("code(for:)", #"["Mia"]"#)
                #expect(code == #"{"value":{"text":"code of Mia"}}"#)
                let ring = try await client.call("ring(times:)", "[1]")
                #expect(ring == #"{"error":{"closed":{"until":2}}}"#)
                let reset = try await client.call("reset()", "[]")
                #expect(reset == #"{"value":{}}"#)
            }
        }
    }

    @Test(
        "A malformed request fails with an explanation",
        arguments: [
            ("code(for:)", "", "the message: "), ("code(for:)", "[]", "Unkeyed container is at end"),
            ("code(for:)", "[1]", "Index 0: "), ("ring(times:)", "[1.5]", "the message: "),
            ("pass(code:passenger:station:key:)", #"[{},"a",null,"k"]"#, "Index 0 has no text"),
            ("passages(at:)", "[null]", "Index 0: "),
        ])
    func explained(method: String, message: String, text: String) async throws {
        try await Loopback.serve(TestDoor()) { loopback in
            try await RawClient.connected(to: loopback.address) { client in
                let error = try #require(
                    await thrown { _ = try await client.call(method, message) } as? RPCError)
                #expect(error.code == .invalidArgument)
                #expect(error.message.contains("the request cannot be decoded: "), "\(error)")
                #expect(error.message.contains(text), "\(error)")
            }
        }
    }

    @Test("Random messages affect only their own calls, and the server keeps running")
    func fuzz() async throws {
        let seeds = [
            #"["Mia"]"#, "[]", "[3]", #"[{"text":"a"},"Mia",null,"k"]"#, "{\"value\":1}", "[[[[[[[[",
            "\"\\ud800\"",
            String(repeating: "[", count: 5000), "[1e400]", "[\u{0}]",
        ]
        let methods = [
            "code(for:)", "pass(code:passenger:station:key:)", "passages(at:)", "ring(times:)", "reset()",
            "gone()",
        ]
        try await Loopback.serve(TestDoor()) { loopback in
            try await RawClient.connected(to: loopback.address) { client in
                var random = SeededRandom(7)
                var refused = 0
                for _ in 0..<400 {
                    var messages: [Data] = []
                    for _ in 0..<random.pick([1, 1, 1, 1, 1, 0, 2]) {
                        var message = Data(random.pick(seeds).utf8)
                        for _ in 0..<random.pick([0, 1, 1, 3]) where !message.isEmpty {
                            message[Int.random(in: 0..<message.count, using: &random)] = UInt8.random(
                                in: 0...255, using: &random)
                        }
                        messages.append(random.pick([true, false]) ? message : message.dropLast())
                    }
                    let method = random.pick(methods)
                    if let error = await thrown({ _ = try await client.call(method, messages) }) {
                        refused += 1
                        let codes: [RPCError.Code] = [.invalidArgument, .internalError, .unimplemented]
                        #expect(codes.contains { $0 == (error as? RPCError)?.code }, "\(method): \(error)")
                    }
                }
                #expect(refused > 200)
            }
            #expect(try await loopback.door.code(for: "Mia").text == "code of Mia")
        }
    }

    @Test(
        "The server closes a connection on which it receives nothing",
        .enabled(if: TestLevel.isDeep, "runs with Scripts/test --third-party"))
    func silentConnection() async throws {
        try await Loopback.serve(TestDoor()) { loopback in
            let port = try #require(Int(loopback.address.split(separator: ":").last ?? ""))
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: port).get()
            try await channel.closeFuture.get()
        }
    }

    @Test("Bytes that are not gRPC do not stop the server")
    func notGRPC() async throws {
        try await Loopback.serve(TestDoor()) { loopback in
            let port = try #require(Int(loopback.address.split(separator: ":").last ?? ""))
            var random = SeededRandom(3)
            for round in 0..<30 {
                var bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
                if round % 2 == 0 { bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + bytes }
                let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connect(host: "127.0.0.1", port: port).get()
                try? await channel.writeAndFlush(ByteBuffer(bytes: bytes))
                try? await channel.close()
            }
            #expect(try await loopback.door.code(for: "Mia").text == "code of Mia")
        }
    }
}
