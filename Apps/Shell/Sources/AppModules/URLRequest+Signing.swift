import Digests
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Returns the request with a signature of its method, path, query and body.
    func signed(with key: Data) -> URLRequest {
        guard let url else { return self }
        var request = self
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        let start = "\(httpMethod ?? "GET")\n\(url.path(percentEncoded: true))\(query)\n"
        let signature = Digest.hmacSHA256(Data(start.utf8) + (httpBody ?? Data()), key: key)
        request.setValue(signature, forHTTPHeaderField: "X-Signature")
        return request
    }
}
