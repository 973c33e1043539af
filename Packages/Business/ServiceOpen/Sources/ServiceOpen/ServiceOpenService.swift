import ApiCenter
import LoggerApi
import PayTypeApi
import ServiceOpenApi
import Storage
import UserApi
import WebContainerApi

/// ServiceOpen's IMP: an object, built once for everybody.
final class ServiceOpenService: ServiceOpenApiProtocol {
    /// What outlives the process: who has agreed to the terms, and for whom the service is open.
    struct Saved: Codable, Sendable {
        var agreed: Set<String> = []
        var opened: Set<String> = []
    }

    private unowned let center: ApiCenter
    private let saved: Document<Saved>

    init(center: ApiCenter, saved: Document<Saved>) {
        (self.center, self.saved) = (center, saved)
    }

    var isOpen: Bool {
        guard let passenger = try? passenger() else { return false }
        return saved.value.opened.contains(passenger)
    }

    func termsPage() -> [String: String]? {
        let page = try? center.api(type: WebContainerApiProtocol.self)?
            .page(for: "transit.example/terms", backward: false)
        return page.map { ["page": $0.container, "url": $0.url] }
    }

    func agreeToTerms() throws(ServiceOpenApiError) {
        let passenger = try passenger()
        try saved.update(orThrow: ServiceOpenApiError.notSaved) { $0.agreed.insert(passenger) }
    }

    func open() throws(ServiceOpenApiError) {
        let passenger = try passenger()
        guard !isOpen else { return }
        guard saved.value.agreed.contains(passenger) else { throw .termsNotAgreed }
        pickPayType()
        try saved.update(orThrow: ServiceOpenApiError.notSaved) { $0.opened.insert(passenger) }
        log(.info, "The service was opened")
    }

    /// Picks the best way to pay that can be had, so that a new passenger can ride at once.
    private func pickPayType() {
        guard let payType = center.api(type: PayTypeApiProtocol.self), payType.selected == nil else { return }
        for candidate in payType.payTypes {
            do {
                return try payType.select(candidate.id)
            } catch {
                log(.info, "\(candidate.name) was not picked: \(error)")
            }
        }
    }

    private func passenger() throws(ServiceOpenApiError) -> String {
        guard let session = center.api(type: UserApiProtocol.self)?.session else { throw .notLoggedIn }
        return session.id
    }

    private func log(_ level: LogLevel, _ message: String) {
        center.api(type: LoggerApiProtocol.self)?.log(level, message)
    }
}
