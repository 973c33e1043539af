import APIService
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the steps that validate and store an answer both ask about it.
extension Finding {
    /// Whether a redirect led to another URL, which gave the answer.
    func isRedirected(_ answer: APIAnswer) -> Bool {
        guard let url = answer.response.url, url != answer.request.url else { return false }
        return APICacheKey.location(url) != APICacheKey.location(answer.request.url)
    }

    /// Returns the request to match against a response's `Vary`: the request as sent, but with the credentials that the
    /// request had at the lookup. The cache is read before accessories add credentials, so the accessory's `user`
    /// stands for those credentials in the key.
    func selecting(_ sent: URLRequest) -> URLRequest {
        var selecting = sent
        for field in call.credentialFields {
            let value = plain.value(forHTTPHeaderField: field)
            if value != sent.value(forHTTPHeaderField: field) {
                selecting.setValue(value, forHTTPHeaderField: field)
            }
        }
        return selecting
    }
}
