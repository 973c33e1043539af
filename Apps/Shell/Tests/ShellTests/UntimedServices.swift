import APIService
import AppModules

extension AppServices {
    /// The services without a time limit on requests: on a busy machine, even a request to a stub may wait longer for a
    /// thread than the default limit.
    var untimed: AppServices {
        network.config.update { $0.timeout = nil }
        return self
    }
}
