import Synchronization

/// The Api that the example page calls.
protocol RideApiProtocol: Sendable {
    var stations: [String] { get }
    func code() async throws(RideApiError) -> String
    func passGate(at station: String) async throws(RideApiError)
}

enum RideApiError: Error {
    case notLoggedIn
    case gateClosed(String)
}

/// A ride whose session the tests end.
final class Ride: RideApiProtocol {
    let stations = ["North Gate", "Museum"]
    private let isLoggedIn = Atomic(true)
    private let failure: RideApiError?

    /// - Parameter failure: The error that every gate throws; nil for gates that open.
    init(failure: RideApiError? = nil) { self.failure = failure }

    func logOut() { isLoggedIn.store(false, ordering: .relaxed) }

    func code() throws(RideApiError) -> String {
        guard isLoggedIn.load(ordering: .relaxed) else { throw .notLoggedIn }
        return "C-1"
    }

    func passGate(at station: String) throws(RideApiError) {
        _ = try code()
        if let failure { throw failure }
    }
}
