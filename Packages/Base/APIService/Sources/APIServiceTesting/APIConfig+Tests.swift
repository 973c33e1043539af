import APIService

extension APIConfig {
    /// Creates settings for tests: a request has no time limit unless `change` or the request sets one. On a busy
    /// machine, even a request to a stub may wait longer for a thread than the default limit.
    public static func forTests(_ change: (inout APISettings) -> Void = { _ in }) -> APIConfig {
        var settings = APISettings()
        settings.timeout = nil
        change(&settings)
        return APIConfig(settings)
    }
}
