/// Caches one send: the other way beside ``APIRequest/cache``, which it comes before. Passed in the plugins of a
/// send of a `Request`; it does nothing for other requests.
///
/// Source: seeds/5-CSAPIService.md, "`plugin` 形式".
public struct CachePlugin<Request: APIRequest>: APIPlugin {
    /// How the send is cached; nil: as the request says.
    public var cache: APICache?

    /// Gets what the cache said: an answer, or ``APICacheError/missing`` or ``APICacheError/expired``. Called in
    /// the thread of the caller, before any network.
    public var cacheHandler: APICompletionHandler<Request.Response>?

    /// A plugin that caches as `cache` says.
    public init(cache: APICache? = nil, cacheHandler: APICompletionHandler<Request.Response>? = nil) {
        (self.cache, self.cacheHandler) = (cache, cacheHandler)
    }
}
