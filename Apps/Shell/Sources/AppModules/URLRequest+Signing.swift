import Digests
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Returns the request with a signature of its method, host, path, query, time, number and body.
    ///
    /// The operator's server accepts a signature only for a few minutes, and only once: see `OperatorSignatures` in Demo.
    ///
    /// - Parameters:
    ///   - key: The operator's key.
    ///   - time: The time of the request.
    ///   - number: A text that no other request with the same key has.
    func signed(with key: Data, at time: Date = Date(), number: String = UUID().uuidString) -> URLRequest {
        guard let url, let host = url.host(percentEncoded: true) else { return self }
        var request = self
        // The Host field: without the scheme's default port, even if the URL contains it (RFC 9110, 4.2.3 and 7.2).
        let isDefault = url.port == (url.scheme?.lowercased() == "https" ? 443 : 80)
        let port = isDefault ? "" : url.port.map { ":\($0)" } ?? ""
        let site = (host.contains(":") ? "[\(host)]" : host).lowercased() + port
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        let seconds = "\(Int(time.timeIntervalSince1970))"
        let lines = [
            httpMethod ?? "GET", site, url.path(percentEncoded: true) + query, seconds, number, "",
        ]
        let message = Data(lines.joined(separator: "\n").utf8) + (httpBody ?? Data())
        request.setValue(seconds, forHTTPHeaderField: "X-Time")
        request.setValue(number, forHTTPHeaderField: "X-Number")
        request.setValue(Digest.hmacSHA256(message, key: key), forHTTPHeaderField: "X-Signature")
        return request
    }
}
