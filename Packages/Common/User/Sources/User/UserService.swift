import APIService
import ApiCenter
import ErrorCode
import SDKManagerApi
import Storage
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
    private let saved: Document<Saved>

    init(center: ApiCenter, network: APIService, saved: Document<Saved>) {
        (self.center, self.network, self.saved) = (center, network, saved)
    }

    var session: UserSession? { saved.value.session }

    func logIn(phone: String, password: String) async throws(UserApiError) -> UserSession {
        guard phone.utf8.count == 11, phone.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .badPhone(phone)
        }
        guard let configuration = center.api(type: SDKManagerApiProtocol.self)?.configuration else {
            throw .unreachable(ErrorCode.notInitialised.message)
        }
        let session: UserSession
        do {
            session = try await network.ask(
                LogInRequest(baseURL: configuration.baseURL, phone: phone, password: password)
            ).payload
        } catch {
            if case .refused(.wrongCredentials) = error { throw .wrongCredentials }
            throw .unreachable(error.description)
        }
        try saved.update(orThrow: UserApiError.notSaved) { $0.session = session }
        return session
    }

    func logOut() throws(UserApiError) {
        guard let session else { return }
        try saved.update(orThrow: UserApiError.notSaved) { $0.session = nil }
        network.config.cacheTool.removeAll(user: session.id)
    }
}
