import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension APITokenRefresh.Rejected {
    /// Identifies a request, its token and its user.
    ///
    /// The token is what its accessory has added: header fields, parts of the URL, and the bytes of the body between those
    /// that the accessory has left unchanged. What other accessories add, such as a signature, differs in each request. If no
    /// accessory has a user, the token may be in any header field.
    ///
    /// - Parameter first: The request that redirects have led from.
    package init(_ adapted: Adapted, of first: URLRequest) {
        let (before, after) = (
            adapted.token?.before ?? adapted.plain, adapted.token?.after ?? adapted.request
        )
        let others = adapted.token == nil ? nil : before.allHTTPHeaderFields
        let fields = adapted.token?.fields.map(Array.init) ?? after.fields(changedFrom: others)
        var token = Hasher()
        for field in fields.sorted() { token.combine([field, after.value(forHTTPHeaderField: field)]) }
        if before.url != after.url { token.combine(after.url.parts.subtracting(before.url.parts)) }
        if let body = after.httpBody, body != before.httpBody {
            // An array hashes all its bytes; `Data` hashes only the first ones, which tokens may have in common.
            token.combine(Array(body.inserted(into: before.httpBody ?? Data())))
        }
        var whole = token
        whole.combine(first.httpMethod)
        whole.combine(first.url)
        self.init(
            user: adapted.token?.user, owner: adapted.token?.index, token: token.finalize(),
            request: whole.finalize(), moment: adapted.moment)
    }
}

extension URL? {
    /// The address and the parts of the query.
    fileprivate var parts: Set<Substring> { Set((self?.absoluteString ?? "").split { "?&#".contains($0) }) }
}

extension Data {
    /// Returns the bytes without those with which both bodies begin and end.
    fileprivate func inserted(into other: Data) -> Data {
        let start = zip(self, other).prefix { $0 == $1 }.count
        let (rest, others) = (dropFirst(start), other.dropFirst(start))
        return rest.dropLast(zip(rest.reversed(), others.reversed()).prefix { $0 == $1 }.count)
    }
}
