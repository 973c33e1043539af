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
    /// The stored data, keyed by user ID.
    typealias Saved = [String: OpenRides]

    private weak let center: ApiCenter?
    let network: APIService
    private let notifications: NotificationCenter
    private let saved: Document<Saved>
    let gate: GateQueue
    private let attempts = PassAttempts()
    /// The latest round of repeated payments.
    private let round = Locked(Task<Void, Never>?.none)
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
            "rides", version: 3, default: Saved(),
            migrations: [
                Migration(from: 1) { (old: [String: String]) in
                    old.mapValues { OpenRides(.init(station: $0, key: UUID().uuidString)) }
                },
                Migration(from: 2) { (old: [String: OpenRides.Ride]) in old.mapValues { OpenRides($0) } },
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
        return saved.value[passenger]?.current?.station
    }

    /// Tells the queue about a session from the last run, because the session's code may still be valid, and repeats the
    /// payments that the last run has left without an answer. Does not wait for the payments.
    func resumeSession() {
        guard let session else { return }
        _ = gate.shows(codeOf: session.id)
        repeatPayments(of: session.id)
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
        let (passage, ended) = try await openGate(with: code, of: passenger, at: station)
        if let ended { return .left(try await leave(ended, of: passenger)) }
        log(.info, "The gate at \(passage.station) opened")
        repeatPayments(of: passenger)
        return .entered(station: passage.station)
    }

    /// Opens a gate, and saves that a ride has begun or ended.
    ///
    /// - Returns: The passage, and the ended ride. If an earlier attempt opened a gate at another station but its answer
    ///   was lost, the passage is at that station.
    private func openGate(
        with code: String, of passenger: String, at station: String
    ) async throws(RideApiError) -> (GatePassage, OpenRides.Unpaid?) {
        let attempt = attempts.begin(code: code, of: passenger)
        do throws(RideApiError) {
            let passage = try await gate.ask { gate throws(GateApiError) in
                try await gate.pass(code: code, passenger: passenger, station: station, key: attempt.key)
            }
            // The update is atomic, so if two gates are used at the same time, one lets the passenger in and the other
            // lets the passenger out.
            let ended = try saved.update(orThrow: RideApiError.notSaved) {
                $0[passenger, default: OpenRides()].pass(passage)
            }
            return (passage, ended)
        } catch {
            // The gate may have opened. A repeat with the same key gets the passage again.
            switch error {
            case .unreachable, .notSaved: attempts.lostAnswer(to: attempt, of: passenger)
            default: break
            }
            throw error
        }
    }

    /// Has the operator take the fare of a ride that has ended, and saves the journey. The ride stays stored until then,
    /// so that the payment can be repeated with the same keys; the operator takes the fare once.
    ///
    /// - Parameter payType: The payment module; nil if the ride is free, because the app has none.
    private func pay(
        _ ended: OpenRides.Unpaid, of passenger: String, with payType: (any PayTypeApiProtocol)?
    ) async throws(PayTypeApiError) -> Fare {
        guard session?.id == passenger else { throw .notLoggedIn }
        let (from, to) = (ended.ride.station, ended.exit.station)
        let payment = try await payType?.pay(
            PayTrip(passenger: passenger, key: ended.ride.key, exit: ended.exit.key, from: from, to: to))
        let isRecorded = await record(
            Journey(from: from, to: to, date: ended.exit.date, cents: payment?.cents), of: passenger)
        change(passenger) { $0.remove(ended) }
        let price = payment.map { "cost \(Money(cents: $0.cents))" } ?? "was not charged"
        log(.info, "A ride from \(from) to \(to) \(price)")
        return Fare(
            from: from, to: to, cents: payment?.cents, receipt: payment?.receipt, isRecorded: isRecorded)
    }

    /// The payment module; nil if the app has none.
    ///
    /// - Throws: `PayTypeApiError.unreachable` if the module cannot be built, which makes no ride free.
    private func payType() throws(PayTypeApiError) -> (any PayTypeApiProtocol)? {
        guard let center, center.isRegisteredApi(api: PayTypeApiProtocol.self) else { return nil }
        do {
            return try center.requireApi(type: PayTypeApiProtocol.self)
        } catch {
            log(.error, "Nobody can pay: \(error)")
            throw .unreachable("Payments do not work now; please restart the app, or update it.")
        }
    }

    /// Pays the fare of a ride that has just ended. If the payment is refused, the ride continues. If its outcome is
    /// unknown, or the refusal cannot be saved, the payment is repeated later.
    private func leave(
        _ ended: OpenRides.Unpaid, of passenger: String
    ) async throws(RideApiError) -> Fare {
        let fare: Fare
        do {
            fare = try await pay(ended, of: passenger, with: payType())
        } catch {
            log(.warning, "A ride from \(ended.ride.station) was not paid: \(error.reason)")
            switch error {
            case .notLoggedIn: throw .notLoggedIn
            case .unreachable(let why), .outcomeUnknown(let why): throw .paymentUnknown(why)
            case .refused, .noneSelected, .unknown, .notSaved:
                guard change(passenger, { $0.resume(ended) }) else { throw .paymentUnknown(error.reason) }
                throw .paymentRefused(error.reason)
            }
        }
        repeatPayments(of: passenger)
        // Nobody sees the fare of a passenger who has logged out during the payment.
        guard session?.id == passenger else { throw .notLoggedIn }
        return fare
    }

    /// Repeats the payments of a passenger's rides that have ended before, and does not wait for the answers. The rounds run
    /// one after another, so that no payment is repeated twice at the same time.
    private func repeatPayments(of passenger: String) {
        guard saved.value[passenger]?.unpaid.isEmpty == false else { return }
        round.withLock { round in
            round = Task { [weak self, previous = round] in
                await previous?.value
                // Without a payment module, the rides wait for an app that has one.
                guard let payType = self?.center?.api(type: PayTypeApiProtocol.self) else { return }
                for ended in self?.saved.value[passenger]?.unpaid ?? []
                where self?.saved.value[passenger]?.unpaid.contains(ended) == true {
                    do throws(PayTypeApiError) {
                        _ = try await self?.pay(ended, of: passenger, with: payType)
                    } catch {
                        self?.log(
                            .warning, "A ride from \(ended.ride.station) is not paid yet: \(error.reason)")
                        // The next request would only wait for the same timeout.
                        if case .unreachable = error { return }
                    }
                }
            }
        }
    }

    /// Waits for the repeated payments, for tests.
    func settlePayments() async { await round.withLock { $0 }?.value }

    /// Changes a passenger's rides. If the change cannot be written, the ride stays unpaid, and its payment is repeated.
    ///
    /// - Returns: Whether the change was written.
    @discardableResult
    private func change(_ passenger: String, _ change: (inout OpenRides) -> Void) -> Bool {
        do {
            try saved.update { rides in
                change(&rides[passenger, default: OpenRides()])
                if rides[passenger]?.isEmpty == true { rides[passenger] = nil }
            }
            return true
        } catch {
            log(.error, "The answer to a payment was not saved: \(error)")
            return false
        }
    }

    /// Saves the journey. Returns false if the journey could not be saved or the app has no Journey module.
    /// Neither ends the call with an error, because the passenger has already paid.
    private func record(_ journey: Journey, of passenger: String) async -> Bool {
        guard let journeys = center?.api(type: JourneyApiProtocol.self) else { return false }
        do {
            try await journeys.record(journey, of: passenger)
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
        case .notSaved(let why), .unreachable(let why), .outcomeUnknown(let why): why
        }
    }
}
