/// Sets how a single call is cached, taking precedence over ``APIRequest/cache``. Pass it in the plugins of
/// the call. It affects only requests of type `Request`.
///
/// Source: seeds/5-CSAPIService.md, "`plugin` 形式".
public struct CachePlugin<Request: APIRequest>: APIPlugin {
    /// How the call is cached; `nil` uses the request's own configuration.
    public var cache: APICache?

    /// Receives the result of the cache lookup: a response or an ``APICacheError``. Called on the caller's
    /// thread, before anything is sent.
    public var cacheHandler: APICompletionHandler<Request.Response>?

    /// Creates a plugin with this configuration.
    public init(cache: APICache? = nil, cacheHandler: APICompletionHandler<Request.Response>? = nil) {
        (self.cache, self.cacheHandler) = (cache, cacheHandler)
    }
}
