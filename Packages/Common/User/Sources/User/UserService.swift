import APIService
import ApiCenter
import ErrorCode
import Foundation
import Storage
import Synchronization
import TransitRequests
import UserApi

/// User's IMP: one object, shared by all callers.
final class UserService: UserApiProtocol {
    private let network: APIService
    private let notifications: NotificationCenter?
    private let saved: SavedSession
    private let streams: SessionStreams
    /// The number of log-outs so far, including log-outs that could not be saved. A log-in reads this number
    /// before and after its request, to detect a log-out during the request. The number changes only while
    /// the saved session is being changed.
    private let logOuts = Atomic(0)

    /// Opens the session.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    init(center: ApiCenter) throws {
        network = try center.requireApi(type: APIService.self)
        // Optional. Without a notification center, the modules can still follow the sessions.
        notifications = center.api(type: NotificationCenter.self)
        let saved = try SavedSession(in: center.requireApi(type: Storage.self))
        self.saved = saved
        streams = SessionStreams { saved.session?.session }
    }

    /// From now on, adds the passenger's token to each request, and renews it when the server rejects it. The token
    /// therefore never leaves this module except in requests (seed 4's `fetchToken`).
    func authenticateRequests() {
        let token = APITokenAccessory(
            user: { [saved] in saved.session?.id }, token: { [saved] in saved.session?.token })
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

    var session: UserSession? { saved.session?.session }

    func sessions() -> AsyncStream<UserSession?> { streams.stream() }

    /// Tells the callers that follow the sessions about a change that another process has made.
    func noticeOtherProcesses() { streams.send() }

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
        streams.send()
        return session.session
    }

    /// Requests a new token for a passenger's session. If the server refuses for good, ends the session: every request would
    /// only be rejected, and a page would show a passenger who is not logged in any more.
    ///
    /// - Returns: The token; nil if the passenger is not logged in.
    /// - Throws: `APITokenRefusal` if the server refuses for good. After any other error, for example because the server
    ///   cannot be reached or has failed, the session stays unchanged.
    func newToken(of user: String?) async throws -> String? {
        guard let old = saved.session, old.id == user else { return nil }
        let check = { [saved] () throws(UserApiError) in
            guard saved.session == old else { throw .unreachable("The session has ended.") }
        }
        do {
            let token = try await network.ask(RenewalRequest()).payload.token
            try check()
            return token
        } catch let error as TransitError where error.endsSession {
            _ = try saved.replace(with: nil, after: check)
            end(old)
            throw APITokenRefusal(ErrorCode.sessionExpired.message)
        }
    }

    /// Stores a new token, if the passenger is still logged in.
    ///
    /// - Throws: ``UserApiError``. In that case the current session stays unchanged.
    func store(_ token: String, of user: String?) async throws(UserApiError) {
        guard let old = saved.session else { return }
        let new = SignedSession(id: old.id, name: old.name, token: token)
        _ = try saved.replace(with: new) { () throws(UserApiError) in
            guard old.id == user, saved.session == old else {
                throw .unreachable("The session has ended.")
            }
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

    /// Clears the cache of a session that has ended, and tells the callers that follow the sessions.
    private func end(_ session: SignedSession) {
        network.config.removeCachedResponses(of: session.id)
        notifications?.post(name: Notification.Name(UserNotification.sessionEnded), object: nil)
        streams.send()
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
