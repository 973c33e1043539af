import Foundation
import NIOCore
import NIOPosix
import RemotePairs
import TestSupport
import Testing

@Suite("Servers that stop during many calls", .oneAtATime, .waitLimit)
struct StopTests {
    @Test(
        "A stopping server neither loses a call nor carries one out twice",
        arguments: [true, false], RemoteBalancing.allCases)
    func gracefully(isRepeatable: Bool, balancing: RemoteBalancing) async throws {
        let counts = try await calls(isRepeatable: isRepeatable, balancing) { server, _ in server.stop() }
        #expect(counts.count == 300)
        #expect(counts.values.allSatisfy { $0 == 1 })
    }

    @Test(
        "When a server is killed, repeatable calls continue on the next one",
        arguments: RemoteBalancing.allCases)
    func killed(balancing: RemoteBalancing) async throws {
        let counts = try await calls(isRepeatable: true, killed: true, balancing) { _, front in
            await front.kill()
        }
        #expect(counts.count == 300)
        #expect(counts.values.allSatisfy { (1...2).contains($0) })
    }

    /// Without ``Entrance``, one of these connections would crash the process.
    @Test(
        "A server can stop or be cancelled while connections arrive",
        arguments: [true, false], 0..<(TestLevel.isDeep ? 40 : 4))
    func connections(isCancelled: Bool, round: Int) async throws {
        let server = try RemoteServer([DoorRemote.service(TestDoor())], on: RemoteAddresses("127.0.0.1:0"))
        let run = Task { try await server.run() }
        let port = try #require(Int(try await server.address.split(separator: ":").last ?? ""))
        let arrived = Shared(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    while !Task.isCancelled {
                        let client = try? await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                            .connect(host: "127.0.0.1", port: port).get()
                        guard let client else { return }
                        var isEnd = false
                        arrived.update {
                            $0 += 1
                            isEnd = $0 == 100
                        }
                        if isEnd { isCancelled ? run.cancel() : server.stop() }
                        try? await client.close()
                    }
                }
            }
            try await run.value
            group.cancelAll()
        }
        #expect(arrived.value >= 100)
    }

    /// Lets 20 callers make 15 calls each to two servers, and ends the first server after its 50th call.
    ///
    /// - Returns: How often each call was carried out.
    private func calls(
        isRepeatable: Bool, killed: Bool = false, _ balancing: RemoteBalancing,
        end: @escaping @Sendable (RemoteServer, Front) async -> Void
    ) async throws -> [String: Int] {
        let counts = Shared<[String: Int]>([:])
        var second = TestDoor()
        second.onCode = { passenger in
            counts.update { $0[passenger, default: 0] += 1 }
            return DoorCode(text: passenger)
        }
        second.onPass = { passage in
            counts.update { $0[passage.passenger, default: 0] += 1 }
            return passage
        }
        let (first, served) = (Shared<(RemoteServer, Front)?>(nil), Shared(0))
        var door = second
        let count: @Sendable () async -> Void = {
            var isMiddle = false
            served.update {
                $0 += 1
                isMiddle = $0 == 50
            }
            if isMiddle, let (server, front) = first.value { await end(server, front) }
        }
        door.onCode = { [second] passenger throws(DoorApiError) in
            await count()
            return try await second.onCode(passenger)
        }
        door.onPass = { [second] passage throws(DoorApiError) in
            await count()
            return try await second.onPass(passage)
        }
        let server = try RemoteServer([DoorRemote.service(door)], on: RemoteAddresses("127.0.0.1:0"))
        var options = RemoteConnection.Options.patient
        options.balancing = balancing
        try await running(server.run, stop: server.stop) {
            let front = try await Front(before: server.address)
            first.value = (server, front)
            let address = killed ? front.address : try await server.address
            try await Loopback.serve(second, calling: options, through: { "\(address),\($0)" }) { loopback in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for caller in 0..<20 {
                        group.addTask {
                            for call in 0..<15 {
                                let name = "\(caller)/\(call)"
                                if isRepeatable {
                                    let passage = try await loopback.door.pass(
                                        code: DoorCode(text: ""), passenger: name, station: nil, key: name)
                                    #expect(passage.passenger == name)
                                } else {
                                    #expect(try await loopback.door.code(for: name).text == name)
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            await front.kill()
        }
        return counts.value
    }
}
