import APITransport
import Foundation
import SDKManagerApi

extension SDKConfiguration {
    /// Validates the fields.
    ///
    /// - Throws: ``SDKManagerApiError/invalid(field:value:reason:)`` for the first field with an invalid
    ///   value.
    func check() throws(SDKManagerApiError) {
        guard appID.wholeMatch(of: /[A-Za-z0-9.-]+/) != nil else {
            throw .invalid(
                field: "appID", value: appID,
                reason: "it must consist of one or more letters, digits, '.' and '-'")
        }
        func refuse(_ reason: String) -> SDKManagerApiError {
            .invalid(field: "baseURL", value: baseURL.absoluteString, reason: reason)
        }
        guard let url = URLComponents(url: baseURL, resolvingAgainstBaseURL: true), url.host?.isEmpty == false
        else {
            throw refuse("it is not a URL with a host")
        }
        guard baseURL.isSafeForSecrets else {
            throw refuse("it must begin with https:// because requests carry passwords")
        }
        guard ["", "/"].contains(url.path), url.query == nil, url.fragment == nil, url.user == nil else {
            throw refuse("it must end with the host or the port")
        }
    }
}
