import ApiCenter
import Foundation
import JourneyApi
import LoggerApi
import Money
import PayTypeApi
import RideApi
import ServiceOpenApi
import Storage
import UserApi

/// Ride's IMP: an object, built once for everybody.
final class RideService: RideApiProtocol {
    /// What outlives the process: for each passenger on a ride, the station where it began.
    typealias Saved = [String: String]

    private unowned let center: ApiCenter
    private let codes: RideCodes
    /// What keeps the codes up to date.
    private let listening: Listening
    private let saved: Document<Saved>

    init(center: ApiCenter, codes: RideCodes, listening: Listening, saved: Document<Saved>) {
        (self.center, self.codes, self.listening, self.saved) = (center, codes, listening, saved)
    }

    let stations = Line.stations

    var enteredAt: String? {
        guard let passenger = try? passenger() else { return nil }
        return saved.value[passenger]
    }

    func code() throws(RideApiError) -> RideTicket {
        guard let session else { throw .notLoggedIn }
        // A module that is not in this app asks for nothing.
        if center.api(type: ServiceOpenApiProtocol.self)?.isOpen == false { throw .serviceNotOpen }
        if let payType = center.api(type: PayTypeApiProtocol.self), payType.selected == nil {
            throw .noPayType
        }
        let code = codes.code(of: session.id)
        // A log-out that comes later ends the code; one that came meanwhile may have been too early to see it. The code
        // of a passenger who is logged in again is the new session's.
        let now = self.session
        guard now == session else {
            if now?.id != session.id { codes.end(of: session.id) }
            throw .notLoggedIn
        }
        return RideTicket(code: code.text, expires: code.expires)
    }

    func passGate(code: String, at station: String) throws(RideApiError) -> Passage {
        guard stations.contains(station) else { throw .unknownStation(station) }
        let passenger = try passenger()
        try codes.redeem(code, of: passenger)
        // One look and one change: of two gates at once, one lets the passenger in and the other out.
        let start: String? = try saved.update(orThrow: RideApiError.notSaved) { rides in
            if let start = rides.removeValue(forKey: passenger) { return start }
            rides[passenger] = station
            return nil
        }
        if let start { return .left(try leave(passenger, from: start, to: station)) }
        log(.info, "The gate at \(station) opened")
        return .entered(station: station)
    }

    /// Takes the fare of a ride that is over on disk already, and puts the ride back when the fare is refused, or the
    /// passenger is not the one any more who would pay: whatever breaks down in between, nobody pays twice.
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
            log(.warning, "The fare from \(from) to \(to) was refused: \(error.reason)")
            try resume(passenger, from: from)
            throw .paymentRefused(error.reason)
        }
        let isRecorded = record(Journey(from: from, to: to, date: Date(), cents: cents))
        log(.info, "A ride from \(from) to \(to) came to \(Money(cents: cents))")
        return Fare(from: from, to: to, cents: cents, receipt: receipt, isRecorded: isRecorded)
    }

    /// Puts a ride back, unless the passenger has begun another meanwhile.
    private func resume(_ passenger: String, from: String) throws(RideApiError) {
        try saved.update(orThrow: RideApiError.notSaved) { $0[passenger] = $0[passenger] ?? from }
    }

    /// Whether the journey was kept. One that was not is no reason to keep a passenger who has paid.
    private func record(_ journey: Journey) -> Bool {
        guard let journeys = center.api(type: JourneyApiProtocol.self) else { return false }
        do {
            try journeys.record(journey)
            return true
        } catch {
            log(.error, "The journey to \(journey.to) was not kept: \(error)")
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
    /// Why, for the passenger.
    fileprivate var reason: String {
        switch self {
        case .refused(let name, let reason): "\(name): \(reason)"
        case .noneSelected: "no way to pay is picked"
        case .notLoggedIn: "nobody is logged in"
        case .unknown(let id): "there is no way to pay called \(id)"
        case .notSaved(let why): why
        }
    }
}
