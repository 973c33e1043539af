import APIService
import ApiCenter
import Foundation
import GateApi
import JourneyApi
import LoggerApi
import Money
import PayTypeApi
import RideApi
import ServiceOpenApi
import Storage
import UserApi

/// Ride's IMP: one object, shared by all callers.
final class RideService: RideApiProtocol {
    /// The stored data: for each passenger whose ride is in progress, the station where it began.
    typealias Saved = [String: String]

    unowned let center: ApiCenter
    let network: APIService
    let gate: GateQueue
    /// Keeps `gate` subscribed to notifications.
    private let listening: Listening
    private let saved: Document<Saved>
    private let attempts = PassAttempts()

    init(
        center: ApiCenter, network: APIService, gate: GateQueue, listening: Listening,
        saved: Document<Saved>
    ) {
        (self.center, self.network, self.gate) = (center, network, gate)
        (self.listening, self.saved) = (listening, saved)
    }

    let stations = Line.stations

    var enteredAt: String? {
        guard let passenger = try? passenger() else { return nil }
        return saved.value[passenger]
    }

    /// Tells the queue about a session from the last run, because the session's code may still be valid.
    func resumeSession() {
        if let session { gate.shows(codeOf: session.id) }
    }

    /// Waits until the Gate has confirmed all queued updates. If an update fails, the next call to the Gate first sends
    /// it again.
    func updateGate() async {
        guard let error = await gate.settle() else { return }
        log(.warning, "The Gate has not ended the old codes yet: \(error)")
    }

    func code() async throws(RideApiError) -> RideTicket {
        guard let session else { throw .notLoggedIn }
        // Each of these two checks is skipped if its module is not in the app.
        if center.api(type: ServiceOpenApiProtocol.self)?.isOpen == false { throw .serviceNotOpen }
        if let payType = center.api(type: PayTypeApiProtocol.self), payType.selected == nil {
            throw .noPayType
        }
        gate.shows(codeOf: session.id)
        let code = try await gate.ask { gate throws(GateApiError) in try await gate.code(for: session.id) }
        // The passenger may have logged out after the first read of the session but before the code was issued. Such
        // a log-out could not expire the code. So the session is read again, and the code is expired here if the
        // session has ended. If the same passenger has logged in again, the code belongs to the new session and stays
        // valid. A log-out after this second read expires the code through its notification.
        let now = self.session
        guard now == session else {
            if now?.id != session.id { gate.expireCode(of: session.id) }
            throw .notLoggedIn
        }
        return RideTicket(code: code.text, expires: code.expires)
    }

    func passGate(code: String, at station: String) async throws(RideApiError) -> Passage {
        guard stations.contains(station) else { throw .unknownStation(station) }
        let passenger = try passenger()
        // If an earlier attempt opened a gate at another station but its answer was lost, the passage is at that
        // station.
        let station = try await openGate(with: code, of: passenger, at: station).station
        // The update is atomic, so if two gates are used at the same time, one lets the passenger in and the
        // other lets the passenger out.
        let start: String? = try saved.update(orThrow: RideApiError.notSaved) { rides in
            if let start = rides.removeValue(forKey: passenger) { return start }
            rides[passenger] = station
            return nil
        }
        if let start { return .left(try leave(passenger, from: start, to: station)) }
        log(.info, "The gate at \(station) opened")
        return .entered(station: station)
    }

    private func openGate(
        with code: String, of passenger: String, at station: String
    ) async throws(RideApiError) -> GatePassage {
        let attempt = attempts.begin(code: code, of: passenger)
        do throws(RideApiError) {
            return try await gate.ask { gate throws(GateApiError) in
                try await gate.pass(code: code, passenger: passenger, station: station, key: attempt.key)
            }
        } catch {
            switch error {
            case .unreachable, .notSaved: attempts.lostAnswer(to: attempt, of: passenger)
            default: break
            }
            throw error
        }
    }

    /// Takes the fare and saves the journey. The ride has already been removed from disk, so a crash cannot make the
    /// passenger pay twice. If the payment is refused, or the passenger has logged out, the ride is restored.
    private func leave(_ passenger: String, from: String, to: String) throws(RideApiError) -> Fare {
        let cents = Line.fare(from: from, to: to)
        guard session?.id == passenger else {
            try resume(passenger, from: from)
            throw .notLoggedIn
        }
        let receipt: String?
        do {
            receipt = try center.api(type: PayTypeApiProtocol.self)?.pay(cents: cents, for: "\(from) - \(to)")
        } catch {
            log(.warning, "The payment for a ride from \(from) to \(to) was refused: \(error.reason)")
            try resume(passenger, from: from)
            throw .paymentRefused(error.reason)
        }
        let isRecorded = record(Journey(from: from, to: to, date: Date(), cents: cents))
        log(.info, "A ride from \(from) to \(to) cost \(Money(cents: cents))")
        return Fare(from: from, to: to, cents: cents, receipt: receipt, isRecorded: isRecorded)
    }

    /// Restores a ride, unless the passenger has started another one since.
    private func resume(_ passenger: String, from: String) throws(RideApiError) {
        try saved.update(orThrow: RideApiError.notSaved) { $0[passenger] = $0[passenger] ?? from }
    }

    /// Saves the journey. Returns false if the journey could not be saved or the app has no Journey module.
    /// The gate opens in both cases, because the passenger has already paid.
    private func record(_ journey: Journey) -> Bool {
        guard let journeys = center.api(type: JourneyApiProtocol.self) else { return false }
        do {
            try journeys.record(journey)
            return true
        } catch {
            log(.error, "The journey to \(journey.to) was not saved: \(error)")
            return false
        }
    }

    private var session: UserSession? { center.api(type: UserApiProtocol.self)?.session }

    private func passenger() throws(RideApiError) -> String {
        guard let session else { throw .notLoggedIn }
        return session.id
    }

    private func log(_ level: LogLevel, _ message: String) {
        center.api(type: LoggerApiProtocol.self)?.log(level, message)
    }
}

extension PayTypeApiError {
    /// The reason as a string for the passenger.
    fileprivate var reason: String {
        switch self {
        case .refused(let name, let reason): "\(name): \(reason)"
        case .noneSelected: "no payment method is selected"
        case .notLoggedIn: "nobody is logged in"
        case .unknown(let id): "the payment method '\(id)' does not exist"
        case .notSaved(let why): why
        }
    }
}
