import Digests
import Foundation
import SDKManagerApi

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SDKConfiguration {
    /// Returns the request with the app's identifier and, if there is a key, with a signature of the request's method,
    /// path, query and body.
    func signed(_ request: URLRequest) -> URLRequest {
        var request = request
        request.setValue(appID, forHTTPHeaderField: "X-App")
        guard let key, let url = request.url else { return request }
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        let start = "\(request.httpMethod ?? "GET")\n\(url.path(percentEncoded: true))\(query)\n"
        let signature = Digest.hmacSHA256(Data(start.utf8) + (request.httpBody ?? Data()), key: key)
        request.setValue(signature, forHTTPHeaderField: "X-Signature")
        return request
    }
}
