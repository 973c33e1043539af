/// The Api of the sample pair. In a real tree, it would be the package DoorApi.
protocol DoorApiProtocol: Sendable {
    /// Creates a code for a passenger.
    func code(for passenger: String) async throws(DoorApiError) -> DoorCode

    /// Lets a passenger through.
    ///
    /// - Idempotent: the same key opens the door once.
    func pass(
        code: DoorCode, passenger: String, station: String?, key: String
    ) async throws(DoorApiError) -> DoorPassage

    /// The passages at a station, from now on.
    func passages(at station: String) async throws(DoorApiError) -> AsyncThrowingStream<
        DoorPassage, any Error
    >

    func ring(times: Int) async throws(DoorApiError)

    func reset() async throws
}

struct DoorCode: Codable, Hashable, Sendable {
    let text: String
}

struct DoorPassage: Codable, Hashable, Sendable {
    let number: Int
    let passenger: String
    let station: String?
}

enum DoorApiError: Error, Codable, Hashable, Sendable {
    case unknownCode
    case closed(until: Double)
    case unreachable(String)
}
