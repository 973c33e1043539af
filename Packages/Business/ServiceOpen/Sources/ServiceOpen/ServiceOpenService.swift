import ApiCenter
import LoggerApi
import PayTypeApi
import ServiceOpenApi
import Storage
import UserApi
import WebContainerApi

/// ServiceOpen's IMP: one object, shared by all callers.
final class ServiceOpenService: ServiceOpenApiProtocol {
    /// The stored data: the IDs of the users who agreed to the terms, and the IDs of the users who opened the
    /// service.
    struct Saved: Codable, Sendable {
        var agreed: Set<String> = []
        var opened: Set<String> = []
    }

    private weak let center: ApiCenter?
    private let saved: Document<Saved>

    /// Opens the record of who has opened the service.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    init(center: ApiCenter) throws {
        self.center = center
        saved = try center.requireApi(type: Storage.self).document("service", version: 1, default: Saved())
    }

    var isOpen: Bool {
        guard let passenger = try? passenger() else { return false }
        return saved.value.opened.contains(passenger)
    }

    @concurrent func agreeToTerms() async throws(ServiceOpenApiError) {
        let passenger = try passenger()
        try saved.update(orThrow: ServiceOpenApiError.notSaved) { $0.agreed.insert(passenger) }
    }

    @concurrent func open() async throws(ServiceOpenApiError) {
        let passenger = try passenger()
        guard !isOpen else { return }
        guard saved.value.agreed.contains(passenger) else { throw .termsNotAgreed }
        await pickPayType(for: passenger)
        guard try self.passenger() == passenger else { throw .notLoggedIn }
        try saved.update(orThrow: ServiceOpenApiError.notSaved) { $0.opened.insert(passenger) }
        log(.info, "The service was opened")
    }

    /// Selects the first payment method that works, so that a new passenger can ride immediately. Keeps a selection that
    /// the passenger has made on another device: only the operator knows it. Stops at an error that is no refusal, because
    /// the selection may have taken effect.
    private func pickPayType(for passenger: String) async {
        guard let payType = center?.api(type: PayTypeApiProtocol.self) else { return }
        do {
            let wallet = try await payType.wallet()
            guard wallet.selected == nil, wallet.lastAnswer == nil else { return }
            for candidate in payType.payTypes {
                do throws(PayTypeApiError) {
                    return try await payType.select(candidate.id, for: passenger)
                } catch .refused(let name, let reason) {
                    log(.info, "\(name) was not selected: \(reason)")
                }
            }
        } catch {
            log(.warning, "No payment method was selected: \(error)")
        }
    }

    private func passenger() throws(ServiceOpenApiError) -> String {
        guard let session = center?.api(type: UserApiProtocol.self)?.session else { throw .notLoggedIn }
        return session.id
    }

    private func log(_ level: LogLevel, _ message: String) {
        center?.api(type: LoggerApiProtocol.self)?.log(level, message)
    }
}
