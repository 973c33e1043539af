/// ServiceOpen's interface for other modules: opens the ride service for a passenger.
///
/// All members are thread-safe. The asynchronous ones write files off the caller's actor.
public protocol ServiceOpenApiProtocol: Sendable {
    /// Whether the logged-in passenger has opened the service.
    var isOpen: Bool { get }

    /// Records that the passenger agrees to the terms.
    ///
    /// - Throws: ``ServiceOpenApiError/notLoggedIn`` or ``ServiceOpenApiError/notSaved(_:)``.
    func agreeToTerms() async throws(ServiceOpenApiError)

    /// Opens the service and, if no payment method is selected, selects the first one that works. Does
    /// nothing when the service is already open.
    ///
    /// - Throws: ``ServiceOpenApiError``. In that case the service is not open.
    func open() async throws(ServiceOpenApiError)
}

/// An error thrown by ServiceOpen's Api.
public enum ServiceOpenApiError: Error, Sendable, Hashable {
    /// No user session exists.
    case notLoggedIn
    /// The passenger has to agree to the terms first.
    case termsNotAgreed
    /// The change could not be written to disk. The text says why and names the file.
    case notSaved(String)
}
