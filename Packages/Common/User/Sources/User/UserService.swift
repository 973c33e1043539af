import APIService
import ApiCenter
import ErrorCode
import Foundation
import Locking
import Storage
import Synchronization
import TransitRequests
import UserApi

/// User's IMP: one object, shared by all callers.
final class UserService: UserApiProtocol {
    /// What User works with once it is open.
    struct Parts: Sendable {
        let network: APIService
        /// Removes the cached responses to a user's requests.
        let removeResponses: @Sendable (_ user: String) -> Void
        let notifications: NotificationCenter?
        let saved: SavedSession
    }

    private let parts = SetOnce<Parts>()
    /// The number of log-outs so far, including log-outs that could not be saved. A log-in reads this number
    /// before and after its request, to detect a log-out during the request. The number changes only while
    /// the saved session is being changed.
    private let logOuts = Atomic(0)

    /// Opens the session, and from then on adds the passenger's token to each request and renews it when the server
    /// rejects it. The token therefore never leaves this module except in requests (seed 4's `fetchToken`). Called once.
    /// Until then, nobody is logged in.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    func open(in center: ApiCenter) throws {
        let network = try center.requireApi(type: APIService.self)
        let saved = try SavedSession(in: center.requireApi(type: Storage.self))
        open(
            Parts(
                network: network, removeResponses: { network.config.removeCachedResponses(of: $0) },
                // Optional. Without a notification center, no other module can observe the session.
                notifications: center.api(type: NotificationCenter.self), saved: saved))
        let token = APITokenAccessory(user: { saved.session?.id }, token: { saved.session?.token })
        // The settings hold the service weakly, because it holds the network.
        let refresh = APITokenRefresh { [weak self] user in
            try await self?.newToken(of: user)
        } store: { [weak self] token, user in
            try await self?.store(token, of: user)
        }
        network.config.update { settings in
            // First, so that an accessory that signs the requests stays last.
            settings.accessories.insert(token, at: 0)
            settings.tokenRefresh = refresh
        }
    }

    func open(_ parts: Parts) { self.parts.set(parts) }

    var session: UserSession? { parts.value?.saved.session?.session }

    @concurrent func logIn(phone: String, password: String) async throws(UserApiError) -> UserSession {
        guard phone.utf8.count == 11, phone.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .badPhone(phone)
        }
        let parts = try opened()
        let request = LogInRequest(phone: phone, password: password)
        let logOutsBefore = logOuts.load(ordering: .relaxed)
        let session = try await ask(request, of: parts)
        let former = try parts.saved.replace(with: session) { () throws(UserApiError) in
            guard logOuts.load(ordering: .relaxed) == logOutsBefore, !Task.isCancelled else {
                throw .unreachable("The login was cancelled.")
            }
        }
        if let former, former != session { end(former, of: parts) }
        return session.session
    }

    /// Requests a new token for a passenger's session. If the server refuses for good, ends the session: every request would
    /// only be rejected, and a page would show a passenger who is not logged in any more.
    ///
    /// - Returns: The token; nil if the passenger is not logged in.
    /// - Throws: `APITokenRefusal` if the server refuses for good. After any other error, for example because the server
    ///   cannot be reached or has failed, the session stays unchanged.
    func newToken(of user: String?) async throws -> String? {
        guard let parts = parts.value, let old = parts.saved.session, old.id == user else { return nil }
        let check = { () throws(UserApiError) in
            guard parts.saved.session == old else { throw .unreachable("The session has ended.") }
        }
        do {
            let token = try await parts.network.ask(RenewalRequest()).payload.token
            try check()
            return token
        } catch let error as TransitError where error.endsSession {
            _ = try parts.saved.replace(with: nil, after: check)
            end(old, of: parts)
            throw APITokenRefusal(ErrorCode.sessionExpired.message)
        }
    }

    /// Stores a new token, if the passenger is still logged in.
    ///
    /// - Throws: ``UserApiError``. In that case the current session stays unchanged.
    func store(_ token: String, of user: String?) async throws(UserApiError) {
        guard let parts = parts.value, let old = parts.saved.session else { return }
        let new = SignedSession(id: old.id, name: old.name, token: token)
        _ = try parts.saved.replace(with: new) { () throws(UserApiError) in
            guard old.id == user, parts.saved.session == old else {
                throw .unreachable("The session has ended.")
            }
        }
    }

    @concurrent func logOut() async throws(UserApiError) {
        guard let parts = parts.value else { return }
        let former = try parts.saved.replace(with: nil) { logOuts.add(1, ordering: .relaxed) }
        if let former { end(former, of: parts) }
    }

    /// What User works with.
    private func opened() throws(UserApiError) -> Parts {
        guard let parts = parts.value else { throw .unreachable(ErrorCode.notInitialised.message) }
        return parts
    }

    private func ask<Request: TransitRequest>(
        _ request: Request, of parts: Parts
    ) async throws(UserApiError) -> Request.Payload {
        do {
            return try await parts.network.ask(request).payload
        } catch {
            if case .refused(.wrongCredentials) = error { throw .wrongCredentials }
            throw .unreachable(error.description)
        }
    }

    /// Clears the cache of a session that has ended, and posts the notification.
    private func end(_ session: SignedSession, of parts: Parts) {
        parts.removeResponses(session.id)
        parts.notifications?.post(name: Notification.Name(UserNotification.sessionEnded), object: nil)
    }
}

extension TransitError {
    /// Whether this response to a renewal ends the session. A failure of the server does not end the session, nor does a
    /// code that this version does not know.
    fileprivate var endsSession: Bool {
        switch self {
        case .refused(.notLoggedIn), .refused(.wrongCredentials), .refused(.sessionExpired): true
        case .refused: false
        case .network(let error): error.isRefusal
        }
    }
}
