import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How a request's responses are cached. Set it as ``APIRequest/cache`` or with a ``CachePlugin``.
///
/// The cache is read before anything is sent, and written after the response has arrived, both off the caller's actor.
///
/// Source: seed 5, "APICache".
public struct APICache: Sendable {
    /// Creates a configuration that neither reads nor writes the cache.
    public init() {}

    /// Creates a configuration that takes responses from the cache while they are fresh, for example
    /// `.cached(for: .seconds(60), staleIfError: .seconds(3_600))`.
    ///
    /// - Parameters:
    ///   - lifetime: How long a stored response stays fresh; if `nil`, as long as the server says.
    ///   - mode: Where responses are stored.
    ///   - staleIfError: See ``staleIfError``.
    public static func cached(
        for lifetime: Duration? = nil, in mode: APICacheWriteMode = .memoryAndDisk,
        staleIfError: Duration? = nil
    ) -> APICache {
        var cache = APICache()
        (cache.readMode, cache.writeMode, cache.staleIfError) = (.cancelNetwork, mode, staleIfError)
        if let lifetime { cache.expiry = .seconds(lifetime / .seconds(1)) }
        return cache
    }

    /// How the cache is read.
    public var readMode: APICacheReadMode = .none

    /// Where responses are written.
    public var writeMode: APICacheWriteMode = .none

    /// The seed's spelling of ``writeMode``.
    @available(*, deprecated, renamed: "writeMode")
    public var writeNode: APICacheWriteMode {
        get { writeMode }
        set { writeMode = newValue }
    }

    /// An additional part of the cache key: for example, the version of the app or of its cache, or the value of a
    /// header field that changes the response but is missing from the server's `Vary`.
    public var extraCacheKey = ""

    /// Returns whether a response may be stored, given its head and body. `nil` allows every successful
    /// response.
    public var shouldCacheHandler: (@Sendable (HTTPURLResponse?, Data?) -> Bool)?

    /// Returns a custom cache key, given the library's own key. The cache always keeps the responses of different users
    /// apart.
    public var customCacheKeyHandler: (@Sendable (String) -> String)?

    /// How long a stored response stays fresh: by default, as long as the server says.
    ///
    /// A request's own expiry overrides RFC 9111, 4.2.4: "A cache MUST NOT generate a stale response unless it is
    /// disconnected or doing so is explicitly permitted". The request's expiry never overrides `no-store`, `no-cache`
    /// or `must-revalidate`.
    public var expiry: APICacheExpiry = .server

    /// Whether an expired response with an ETag or Last-Modified is validated with the server. After a 304,
    /// the response is fresh again and is delivered.
    public var validates = true

    /// How long after its expiry a response may be delivered if the server is unreachable, responds with 5xx or does not
    /// respond within the time limit (RFC 5861, 4). `nil` uses the response's own `stale-if-error` directive; an expired
    /// response without this directive is then not delivered.
    public var staleIfError: Duration?
}

/// How a cache is read.
public enum APICacheReadMode: Sendable, Hashable {
    /// The cache is not read.
    case none
    /// A fresh response ends the request; nothing is sent.
    case cancelNetwork
    /// A fresh response goes to the cache handler. The request is still sent, and the server's response is delivered.
    case alsoNetwork
}

/// Where responses are written.
public enum APICacheWriteMode: Sendable, Hashable {
    /// Responses are not stored.
    case none
    /// Responses are stored in memory.
    case memory
    /// Responses are stored on disk.
    case disk
    /// Responses are stored in memory and on disk.
    case memoryAndDisk
}

/// How long a response stays fresh.
public enum APICacheExpiry: Sendable, Hashable {
    /// The response expires when the server says so (`max-age`, `Expires`), or immediately if the server sets no
    /// expiry.
    case server
    /// The response never expires.
    case never
    /// The response expires this number of seconds after it was stored.
    case seconds(TimeInterval)
    /// The response expires at this date.
    case date(Date)
}

/// Sets how a single call is cached, taking precedence over ``APIRequest/cache``. Pass the plugin to the call. The
/// plugin affects only requests of type `Request`.
///
/// Source: seed 5, "`plugin` 形式".
public struct CachePlugin<Request: APIRequest>: APIPlugin {
    /// How the call is cached; `nil` uses the request's own configuration.
    public var cache: APICache?

    /// Receives the result of the cache lookup: a response or an ``APICacheError``. Called before anything is
    /// sent, but not on the caller's actor.
    public var cacheHandler: APICompletionHandler<Request.Response>?

    /// Creates a plugin with this configuration.
    public init(cache: APICache? = nil, cacheHandler: APICompletionHandler<Request.Response>? = nil) {
        (self.cache, self.cacheHandler) = (cache, cacheHandler)
    }
}
