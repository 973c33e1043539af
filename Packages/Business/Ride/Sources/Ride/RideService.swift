import APIService
import ApiCenter
import Foundation
import GateApi
import JourneyApi
import Locking
import LoggerApi
import Money
import PayTypeApi
import RideApi
import ServiceOpenApi
import Storage
import UserApi

/// Ride's IMP: one object, shared by all callers. Thread-safe.
final class RideService: RideApiProtocol {
    /// The stored data: the rides in progress, keyed by user ID.
    typealias Saved = [String: OpenRide]

    /// A ride in progress.
    struct OpenRide: Codable, Sendable {
        /// The station where the ride began.
        let station: String
        /// The key of the passage through the gate where the ride began, with which its fare is paid once.
        let key: String
    }

    private weak let center: ApiCenter?
    let network: APIService
    private let notifications: NotificationCenter
    private let saved: Document<Saved>
    let gate: GateQueue
    private let attempts = PassAttempts()
    /// Keeps the queue subscribed to notifications.
    private let listening = Locked(Listening?.none)

    /// Opens the rides in progress.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    init(center: ApiCenter) throws {
        self.center = center
        network = try center.requireApi(type: APIService.self)
        notifications = try center.requireApi(type: NotificationCenter.self)
        saved = try center.requireApi(type: Storage.self).document(
            "rides", version: 2, default: Saved(),
            migrations: [
                Migration(from: 1) { (old: [String: String]) in
                    old.mapValues { OpenRide(station: $0, key: UUID().uuidString) }
                }
            ])
        gate = GateQueue(
            gate: { [weak center] in center?.api(type: GateApiProtocol.self) },
            log: { [weak center] message in
                center?.api(type: LoggerApiProtocol.self)?.log(.warning, message)
            })
    }

    /// Subscribes to notifications, until the service is deallocated.
    func listen() {
        let new = gate.listen(to: notifications)
        listening.withLock { $0 = new }
    }

    let stations = Line.stations

    var enteredAt: String? {
        guard let passenger = try? passenger() else { return nil }
        return saved.value[passenger]?.station
    }

    /// Tells the queue about a session from the last run, because the session's code may still be valid.
    func resumeSession() {
        if let session { _ = gate.shows(codeOf: session.id) }
    }

    /// Waits until the Gate has confirmed all queued updates. If an update fails, the next call to the Gate first sends
    /// it again.
    func updateGate() async {
        guard let error = await gate.settle() else { return }
        log(.warning, "The Gate has not ended the old codes yet: \(error)")
    }

    @concurrent func code() async throws(RideApiError) -> RideTicket {
        guard let session else { throw .notLoggedIn }
        // Each of these two checks is skipped if its module is not in the app.
        if center?.api(type: ServiceOpenApiProtocol.self)?.isOpen == false { throw .serviceNotOpen }
        if let payType = center?.api(type: PayTypeApiProtocol.self), payType.selected == nil {
            throw .noPayType
        }
        let ended = gate.shows(codeOf: session.id)
        let code = try await gate.ask { gate throws(GateApiError) in try await gate.code(for: session.id) }
        // The passenger may have logged out after the first read of the session but before the code was issued. Such
        // a log-out could not expire the code. So the session is read again, and the code is expired here if the
        // session has ended. If the same passenger has logged in again, the code belongs to the new session and stays
        // valid. A log-out after this second read expires the code through its notification.
        let now = self.session
        guard now?.id == session.id, gate.endedSessions == ended else {
            if now?.id != session.id { gate.expireCode(of: session.id) }
            throw .notLoggedIn
        }
        return RideTicket(code: code.text, expires: code.expires)
    }

    @concurrent func passGate(code: String, at station: String) async throws(RideApiError) -> Passage {
        guard stations.contains(station) else { throw .unknownStation(station) }
        let passenger = try passenger()
        // If an earlier attempt opened a gate at another station but its answer was lost, the passage is at that
        // station.
        let passage = try await openGate(with: code, of: passenger, at: station)
        let station = passage.station
        // The update is atomic, so if two gates are used at the same time, one lets the passenger in and the
        // other lets the passenger out.
        let ride: OpenRide? = try saved.update(orThrow: RideApiError.notSaved) { rides in
            if let ride = rides.removeValue(forKey: passenger) { return ride }
            rides[passenger] = OpenRide(station: station, key: passage.key)
            return nil
        }
        if let ride { return .left(try await leave(ride, through: passage, of: passenger)) }
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
            if case .unreachable = error { attempts.lostAnswer(to: attempt, of: passenger) }
            throw error
        }
    }

    /// Has the operator take the fare, and saves the journey. If the payment is refused or unreachable, or the passenger
    /// has logged out, the ride is restored with its key, so that another attempt does not pay twice.
    private func leave(
        _ ride: OpenRide, through exit: GatePassage, of passenger: String
    ) async throws(RideApiError) -> Fare {
        let (from, to) = (ride.station, exit.station)
        guard session?.id == passenger else {
            try resume(ride, of: passenger)
            throw .notLoggedIn
        }
        let payment: Payment?
        do {
            payment = try await center?.api(type: PayTypeApiProtocol.self)?
                .pay(PayTrip(key: ride.key, exit: exit.key, from: from, to: to))
        } catch {
            log(.warning, "The payment for a ride from \(from) to \(to) was refused: \(error.reason)")
            try resume(ride, of: passenger)
            throw .paymentRefused(error.reason)
        }
        let isRecorded = await record(Journey(from: from, to: to, date: Date(), cents: payment?.cents))
        let price = payment.map { "cost \(Money(cents: $0.cents))" } ?? "was not charged"
        log(.info, "A ride from \(from) to \(to) \(price)")
        return Fare(
            from: from, to: to, cents: payment?.cents, receipt: payment?.receipt, isRecorded: isRecorded)
    }

    /// Restores a ride, unless the passenger has started another one since.
    private func resume(_ ride: OpenRide, of passenger: String) throws(RideApiError) {
        try saved.update(orThrow: RideApiError.notSaved) { $0[passenger] = $0[passenger] ?? ride }
    }

    /// Saves the journey. Returns false if the journey could not be saved or the app has no Journey module.
    /// Neither ends the call with an error, because the passenger has already paid.
    private func record(_ journey: Journey) async -> Bool {
        guard let journeys = center?.api(type: JourneyApiProtocol.self) else { return false }
        do {
            try await journeys.record(journey)
            return true
        } catch {
            log(.error, "The journey to \(journey.to) was not saved: \(error)")
            return false
        }
    }

    private var session: UserSession? { center?.api(type: UserApiProtocol.self)?.session }

    private func passenger() throws(RideApiError) -> String {
        guard let session else { throw .notLoggedIn }
        return session.id
    }

    private func log(_ level: LogLevel, _ message: String) {
        center?.api(type: LoggerApiProtocol.self)?.log(level, message)
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
        case .notSaved(let why), .unreachable(let why): why
        }
    }
}
