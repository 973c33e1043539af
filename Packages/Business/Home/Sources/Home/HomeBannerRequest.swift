import APIService
import TransitRequests

/// Requests the banner of the day. A banner is cached for a minute and, if the server fails, used for up to a day.
struct HomeBannerRequest: TransitRequest {
    /// The banner as the server sends it.
    struct Payload: Decodable, Sendable {
        let title: String
        let link: String
    }

    let path = "/home/banner"

    var cache: APICache? {
        var cache = APICache()
        cache.readMode = .cancelNetwork
        cache.writeMode = .memory
        cache.expiry = .seconds(60)
        cache.staleIfError = .seconds(86_400)
        return cache
    }
}
