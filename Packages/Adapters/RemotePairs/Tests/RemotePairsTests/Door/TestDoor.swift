/// An IMP of the sample pair whose requirements a test can replace.
struct TestDoor: DoorApiProtocol {
    struct Undeclared: Error {}

    var onCode: @Sendable (String) async throws(DoorApiError) -> DoorCode = {
        DoorCode(text: "code of \($0)")
    }
    var onPass: @Sendable (DoorPassage) async throws(DoorApiError) -> DoorPassage = { $0 }
    var onPassages:
        @Sendable (String) async throws(DoorApiError) -> AsyncThrowingStream<DoorPassage, any Error> = { _ in
            AsyncThrowingStream { $0.finish() }
        }
    var onRing: @Sendable (Int) async throws(DoorApiError) -> Void = { _ in }
    var onReset: @Sendable () async throws -> Void = {}

    func code(for passenger: String) async throws(DoorApiError) -> DoorCode { try await onCode(passenger) }

    func pass(
        code: DoorCode, passenger: String, station: String?, key: String
    ) async throws(DoorApiError) -> DoorPassage {
        try await onPass(DoorPassage(number: 1, passenger: passenger, station: station))
    }

    func passages(at station: String) async throws(DoorApiError) -> AsyncThrowingStream<
        DoorPassage, any Error
    > {
        try await onPassages(station)
    }

    func ring(times: Int) async throws(DoorApiError) { try await onRing(times) }

    func reset() async throws { try await onReset() }
}
