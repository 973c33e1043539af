/// What other modules may ask of ServiceOpen: whether a passenger may ride by code, and to make it so.
///
/// Every call is safe from any task.
public protocol ServiceOpenApiProtocol: Sendable {
    /// Whether the passenger who is logged in has opened the service.
    var isOpen: Bool { get }

    /// The page with the terms, its fields; nil when no module of this app shows pages of the web.
    func termsPage() -> [String: String]?

    /// Notes that the passenger agrees to the terms.
    ///
    /// - Throws: ``ServiceOpenApiError``.
    func agreeToTerms() throws(ServiceOpenApiError)

    /// Opens the service, with the first pay type that can be had when none is picked. Does nothing when it is
    /// open.
    ///
    /// - Throws: ``ServiceOpenApiError``; then the service is not open.
    func open() throws(ServiceOpenApiError)
}

/// Why the service was not opened.
public enum ServiceOpenApiError: Error, Sendable, Hashable {
    /// No user session exists.
    case notLoggedIn
    /// The passenger has to agree to the terms first.
    case termsNotAgreed
    /// What was to be kept could not be written; in words, with the file.
    case notSaved(String)
}
