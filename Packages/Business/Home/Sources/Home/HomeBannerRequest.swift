import APIService
import Foundation
import TransitServer

/// Asks the server for the banner of the day, once a minute at most.
struct HomeBannerRequest: TransitRequest {
    /// What the server says of a banner.
    struct Payload: Decodable, Sendable {
        let title: String
        let link: String
    }

    let baseURL: URL
    let path = "/home/banner"

    var cache: APICache? {
        var cache = APICache()
        cache.readMode = .cancelNetwork
        cache.writeNode = .memory
        cache.expiry = .seconds(60)
        cache.staleIfError = .seconds(86_400)
        return cache
    }
}
