import APIService
import Foundation
import Synchronization
import TransitRequests
import UserApi

/// User's IMP: one object, shared by all callers.
final class UserService: UserApiProtocol {
    private let network: APIService
    private let removeResponses: @Sendable (_ user: String) -> Void
    private let notifications: NotificationCenter?
    private let saved: SavedSession
    /// The number of log-outs so far, including log-outs that could not be saved. A log-in reads this number
    /// before and after its request, to detect a log-out during the request. The number changes only while
    /// ``saved`` is being changed.
    private let logOuts = Atomic(0)

    /// - Parameter removeResponses: Removes the cached responses to a user's requests.
    init(
        network: APIService, removeResponses: @escaping @Sendable (_ user: String) -> Void,
        notifications: NotificationCenter?, saved: SavedSession
    ) {
        (self.network, self.removeResponses) = (network, removeResponses)
        (self.notifications, self.saved) = (notifications, saved)
    }

    var session: UserSession? { saved.session?.session }

    @concurrent func logIn(phone: String, password: String) async throws(UserApiError) -> UserSession {
        guard phone.utf8.count == 11, phone.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .badPhone(phone)
        }
        let request = LogInRequest(phone: phone, password: password)
        let logOutsBefore = logOuts.load(ordering: .relaxed)
        let session = try await ask(request)
        let former = try saved.replace(with: session) { () throws(UserApiError) in
            guard logOuts.load(ordering: .relaxed) == logOutsBefore, !Task.isCancelled else {
                throw .unreachable("The login was cancelled.")
            }
        }
        if let former, former != session { end(former) }
        return session.session
    }

    /// Replaces the expired token of the current session with a new one from the server. Does nothing when nobody is
    /// logged in.
    ///
    /// - Throws: ``UserApiError``. In that case the current session stays unchanged.
    func renewToken() async throws(UserApiError) {
        guard let old = saved.session else { return }
        let renewed = try await ask(RenewalRequest())
        _ = try saved.replace(with: SignedSession(id: old.id, name: old.name, token: renewed.token)) {
            () throws(UserApiError) in
            guard saved.session == old else { throw .unreachable("The session has ended.") }
        }
    }

    @concurrent func logOut() async throws(UserApiError) {
        let former = try saved.replace(with: nil) { logOuts.add(1, ordering: .relaxed) }
        if let former { end(former) }
    }

    private func ask<Request: TransitRequest>(
        _ request: Request
    ) async throws(UserApiError) -> Request.Payload {
        do {
            return try await network.ask(request).payload
        } catch {
            if case .refused(.wrongCredentials) = error { throw .wrongCredentials }
            throw .unreachable(error.description)
        }
    }

    /// Clears the cache of a session that has ended, and posts the notification.
    private func end(_ session: SignedSession) {
        removeResponses(session.id)
        notifications?.post(name: Notification.Name(UserNotification.sessionEnded), object: nil)
    }
}
