import Foundation
import Locking
import RideApi
import RideCode
import UserApi

/// The codes at hand: what each passenger's screen shows.
final class RideCodes: Sendable {
    private let issuer: RideCodeIssuer
    private let shown = Locked<[String: RideCode]>([:])

    init(issuer: RideCodeIssuer) {
        self.issuer = issuer
    }

    /// As long as what it returns lives: replaces the codes at hand whenever ``RideNotification/refreshCode`` is
    /// posted, and ends them whenever `UserNotification.sessionEnded` is.
    func listen(to notifications: NotificationCenter) -> Listening {
        Listening(
            to: notifications,
            [RideNotification.refreshCode: { self.refresh() }, UserNotification.sessionEnded: { self.end() }])
    }

    /// The passenger's code: the one at hand while a gate takes it, else a new one.
    func code(of passenger: String) -> RideCode {
        shown.withLock { shown in
            if let code = shown[passenger], issuer.accepts(code) { return code }
            let code = issuer.issue(for: passenger)
            shown[passenger] = code
            return code
        }
    }

    /// Ends the passenger's code at hand; of everybody, without one.
    func end(of passenger: String? = nil) {
        shown.withLock { shown in
            for passenger in passenger.map({ [$0] }) ?? Array(shown.keys) {
                shown[passenger] = nil
                issuer.expire(for: passenger)
            }
        }
    }

    /// Takes the passenger's code. No gate takes it again. Somebody else's is left to them.
    func redeem(_ code: String, of passenger: String) throws(RideApiError) {
        guard issuer.passenger(of: code).map({ $0 == passenger }) ?? true else { throw .notLoggedIn }
        do {
            _ = try issuer.redeem(code)
        } catch {
            switch error {
            case .unknown: throw .codeRefused(.unknown)
            case .expired: throw .codeRefused(.expired)
            case .used: throw .codeRefused(.used)
            case .replaced: throw .codeRefused(.replaced)
            }
        }
    }

    private func refresh() {
        shown.withLock { shown in
            for passenger in shown.keys { shown[passenger] = issuer.issue(for: passenger) }
        }
    }
}
