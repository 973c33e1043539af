import ApiCenter
import Locking
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

    /// What ServiceOpen works with once it is open.
    private struct Parts: Sendable {
        weak let center: ApiCenter?
        let saved: Document<Saved>
    }

    private let parts = SetOnce<Parts>()

    /// Opens the record of who has opened the service. Called once. Until then, nobody is logged in.
    ///
    /// - Throws: `ApiError` or `StorageError`.
    func open(in center: ApiCenter) throws {
        parts.set(
            Parts(
                center: center,
                saved: try center.requireApi(type: Storage.self)
                    .document("service", version: 1, default: Saved())))
    }

    private var center: ApiCenter? { parts.value?.center }

    var isOpen: Bool {
        guard let (parts, passenger) = try? opened() else { return false }
        return parts.saved.value.opened.contains(passenger)
    }

    @concurrent func agreeToTerms() async throws(ServiceOpenApiError) {
        let (parts, passenger) = try opened()
        try parts.saved.update(orThrow: ServiceOpenApiError.notSaved) { $0.agreed.insert(passenger) }
    }

    @concurrent func open() async throws(ServiceOpenApiError) {
        let (parts, passenger) = try opened()
        guard !isOpen else { return }
        guard parts.saved.value.agreed.contains(passenger) else { throw .termsNotAgreed }
        await pickPayType()
        try parts.saved.update(orThrow: ServiceOpenApiError.notSaved) { $0.opened.insert(passenger) }
        log(.info, "The service was opened")
    }

    /// Selects the first payment method that works, so that a new passenger can ride immediately.
    private func pickPayType() async {
        guard let payType = center?.api(type: PayTypeApiProtocol.self), payType.selected == nil else {
            return
        }
        for candidate in payType.payTypes {
            do {
                return try await payType.select(candidate.id)
            } catch {
                log(.info, "\(candidate.name) was not selected: \(error)")
            }
        }
    }

    /// What ServiceOpen works with, and the logged-in passenger.
    private func opened() throws(ServiceOpenApiError) -> (Parts, passenger: String) {
        guard let parts = parts.value, let session = parts.center?.api(type: UserApiProtocol.self)?.session
        else { throw .notLoggedIn }
        return (parts, session.id)
    }

    private func log(_ level: LogLevel, _ message: String) {
        center?.api(type: LoggerApiProtocol.self)?.log(level, message)
    }
}
