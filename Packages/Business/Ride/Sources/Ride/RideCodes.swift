import Foundation
import Locking
import RideApi
import RideCode
import UserApi

/// The current ride code of each passenger. Thread-safe.
final class RideCodes: Sendable {
    private let issuer: RideCodeIssuer
    private let shown = Locked<[String: RideCode]>([:])

    init(issuer: RideCodeIssuer) {
        self.issuer = issuer
    }

    /// Observes notifications until the returned object is deallocated: ``RideNotification/refreshCode``
    /// replaces all current codes, and `UserNotification.sessionEnded` expires them.
    func listen(to notifications: NotificationCenter) -> Listening {
        Listening(
            to: notifications,
            [RideNotification.refreshCode: { self.refresh() }, UserNotification.sessionEnded: { self.end() }])
    }

    /// Returns the passenger's current code if a gate would still accept it, otherwise a new one.
    func code(of passenger: String) -> RideCode {
        shown.withLock { shown in
            if let code = shown[passenger], issuer.accepts(code) { return code }
            let code = issuer.issue(for: passenger)
            shown[passenger] = code
            return code
        }
    }

    /// Expires the passenger's current code, or every current code when no passenger is given.
    func end(of passenger: String? = nil) {
        shown.withLock { shown in
            for passenger in passenger.map({ [$0] }) ?? Array(shown.keys) {
                shown[passenger] = nil
                issuer.expire(for: passenger)
            }
        }
    }

    /// Redeems a code, so that no gate accepts it again. Another passenger's code is refused and stays valid.
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
