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
    /// The session whose token the current task renews; nil in all other tasks.
    @TaskLocal private static var renewing: SignedSession?

    private let network: APIService
    private let notifications: NotificationCenter?
    private let saved: SavedSession
    private let streams: SessionStreams
    /// The number of log-ins and log-outs that have begun. If it changes during the request of a log-in, the log-in is
    /// cancelled.
    private let changes = Atomic(0)
    /// The passenger whose cached responses and codes this process may have.
    private let known: Locked<String?>

    /// Opens the session.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    init(center: ApiCenter) throws {
        network = try center.requireApi(type: APIService.self)
        // Optional. Without a notification center, the modules can still follow the sessions.
        notifications = center.api(type: NotificationCenter.self)
        let saved = try SavedSession(in: center.requireApi(type: Storage.self))
        self.saved = saved
        known = Locked(saved.session?.id)
        streams = SessionStreams { saved.session?.session }
    }

    /// From now on, adds the passenger's token to each request, and renews it when the server rejects it. The token
    /// therefore never leaves this module except in requests (seed 4's `fetchToken`).
    func authenticateRequests() {
        let token = APITokenAccessory(
            user: { [saved] in saved.session?.id },
            token: { [saved] in
                let session = saved.session
                // With the token of a newer session, a renewal would make the server replace that token.
                if let old = Self.renewing, old != session { throw Self.ended }
                return session?.token
            })
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

    /// Ends the session that another process has replaced or ended, in this process too.
    func noticeOtherProcesses() { end(nil) }

    @concurrent func logIn(phone: String, password: String) async throws(UserApiError) -> UserSession {
        guard phone.utf8.count == 11, phone.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .badPhone(phone)
        }
        let request = LogInRequest(phone: phone, password: password)
        let number = changes.add(1, ordering: .relaxed).newValue
        let session = try await ask(request)
        let former = try saved.replace { (_) throws(UserApiError) in
            guard changes.load(ordering: .relaxed) == number, !Task.isCancelled else {
                throw .unreachable("The login was cancelled.")
            }
            return session
        }
        end(former == session ? nil : former)
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
        let token: String
        do {
            token = try await Self.$renewing.withValue(old) {
                try await network.ask(RenewalRequest(requiredUser: old.id)).payload.token
            }
        } catch let error as TransitError where error.endsSession {
            end(try replace(old, with: nil))
            throw APITokenRefusal(ErrorCode.sessionExpired.message)
        }
        guard saved.session == old else { throw Self.ended }
        return token
    }

    /// Stores a new token, if the passenger is still logged in.
    ///
    /// - Throws: ``UserApiError``. In that case the current session stays unchanged.
    func store(_ token: String, of user: String?) async throws(UserApiError) {
        guard let old = saved.session, old.id == user else { throw Self.ended }
        _ = try replace(old, with: SignedSession(id: old.id, name: old.name, token: token))
    }

    @concurrent func logOut() async throws(UserApiError) {
        changes.add(1, ordering: .relaxed)
        end(try saved.replace { _ in nil })
    }

    private static let ended = UserApiError.unreachable("The session has ended.")

    /// Replaces a session, unless it has ended or another one has replaced it.
    private func replace(
        _ old: SignedSession, with new: SignedSession?
    ) throws(UserApiError) -> SignedSession? {
        try saved.replace { (current) throws(UserApiError) in
            guard current == old else { throw Self.ended }
            return new
        }
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

    /// Clears the caches of a session that has ended and of a passenger whose session another process has ended, and
    /// tells the callers that follow the sessions.
    private func end(_ session: SignedSession?) {
        let ended = known.withLock { known in
            let current = self.session?.id
            defer { known = current }
            return Set([session?.id, known == current ? nil : known].compactMap(\.self))
        }
        for user in ended { network.config.removeCachedResponses(of: user) }
        if !ended.isEmpty {
            notifications?.post(name: Notification.Name(UserNotification.sessionEnded), object: nil)
        }
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
