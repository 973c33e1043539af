import APIService
import ApiCenter
import ErrorCode
import Foundation
import SDKManagerApi
import Storage
import Synchronization
import TransitServer
import UserApi

/// User's IMP: an object, built once for everybody.
final class UserService: UserApiProtocol {
    /// What outlives the process.
    struct Saved: Codable, Sendable {
        var session: UserSession?
    }

    private unowned let center: ApiCenter
    private let network: APIService
    private let notifications: NotificationCenter?
    private let saved: Document<Saved>
    /// How many were asked for, written or not; changes in ``saved``'s turn only. By it a log-in knows that one came
    /// meanwhile.
    private let logOuts = Atomic(0)

    init(
        center: ApiCenter, network: APIService, notifications: NotificationCenter?, saved: Document<Saved>
    ) {
        (self.center, self.network, self.notifications, self.saved) = (center, network, notifications, saved)
    }

    var session: UserSession? { saved.value.session }

    func logIn(phone: String, password: String) async throws(UserApiError) -> UserSession {
        guard phone.utf8.count == 11, phone.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .badPhone(phone)
        }
        guard let configuration = center.api(type: SDKManagerApiProtocol.self)?.configuration else {
            throw .unreachable(ErrorCode.notInitialised.message)
        }
        let logOutsBefore = logOuts.load(ordering: .relaxed)
        let session: UserSession
        do {
            session = try await network.ask(
                LogInRequest(baseURL: configuration.baseURL, phone: phone, password: password)
            ).payload
        } catch {
            if case .refused(.wrongCredentials) = error { throw .wrongCredentials }
            throw .unreachable(error.description)
        }
        let former = try saved.update(orThrow: UserApiError.notSaved) { (saved) throws(UserApiError) in
            guard logOuts.load(ordering: .relaxed) == logOutsBefore, !Task.isCancelled else {
                throw .unreachable("The log-in was called off.")
            }
            defer { saved.session = session }
            return saved.session
        }
        if let former, former != session { end(former) }
        return session
    }

    func logOut() throws(UserApiError) {
        let former = try saved.update(orThrow: UserApiError.notSaved) { saved in
            logOuts.add(1, ordering: .relaxed)
            defer { saved.session = nil }
            return saved.session
        }
        if let former { end(former) }
    }

    /// Tells whoever made something for a session that is over already.
    private func end(_ session: UserSession) {
        network.config.cacheTool.removeAll(user: session.id)
        notifications?.post(name: Notification.Name(UserNotification.sessionEnded), object: nil)
    }
}
