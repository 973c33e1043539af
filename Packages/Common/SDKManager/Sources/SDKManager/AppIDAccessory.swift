import APIService
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Adds the app's identifier to each request, so that the operator's server knows which app sends it.
struct AppIDAccessory: APIAccessory {
    let appID: String

    func adapt(_ request: URLRequest) -> URLRequest {
        var request = request
        request.setValue(appID, forHTTPHeaderField: "X-App")
        return request
    }
}
