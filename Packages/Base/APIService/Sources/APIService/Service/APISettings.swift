import Foundation
import Locking

/// The settings that a service applies to all its requests. A request uses the settings as they were when it
/// started.
public struct APISettings: Sendable {
    /// The URL of the server of requests that do not declare one, including the common prefix of its paths; `nil`
    /// until it is known. Such requests then fail with ``APIRequestError/noServer``.
    ///
    /// Source: seed 4 (`client.baseURL`).
    public var baseURL: URL?
    /// The accessories that adapt every attempt, in order.
    public var accessories: [any APIAccessory] = []
    /// Fetches a new token when the server rejects the current one.
    public var tokenRefresh: APITokenRefresh?
    /// The retry policy of requests that do not set their own. ``APIRetryPolicy/never`` by default.
    public var retry: APIRetryPolicy = .never
    /// The time limit, including retries, of requests that do not set their own; `nil` means no limit. One
    /// minute by default.
    public var timeout: Duration? = .seconds(60)
    /// The maximum size in bytes, after decompression, of a response that is kept in memory; `nil` means no limit. 64
    /// MiB by default. A larger response fails with ``APIResponseError/tooLarge(_:url:)`` as soon as it exceeds the limit.
    /// The limit does not apply to the file of a download.
    public var responseLimit: Int? = 64 << 20
    /// The cache, which the module APICache exposes as `cacheTool`.
    package var cacheProvider: (any CacheProvider)?
    /// Lets equal requests share an exchange; the module APICoalescing exposes it as `coalescing`.
    package var sharing: (any SharingProvider)?
    /// Returns the user that cached responses belong to. The cache stores each user's responses separately. The closure
    /// runs on the thread that makes a request.
    ///
    /// If the closure returns `nil`, the users of the accessories are used instead; if no accessory has a user, the
    /// credentials in the request's own header fields are used. If several accessories have users, a cached response
    /// belongs to the combination of these users, and removing the responses of one user does not remove that response.
    /// In that case, set this property.
    public var user: @Sendable () -> String? = { nil }
    /// Returns whether the network is reachable; `nil` if that is unknown. The service calls this closure
    /// only after a failure, to report ``APIError/unreachable(_:)``; the result never prevents a request from
    /// being sent.
    public var isReachable: @Sendable () -> Bool? = { nil }
    /// The decoder for `Decodable` types that use the default `parse(data:)`. Replace it to change, for
    /// example, how dates are decoded.
    public var decoder = JSONDecoder()
    /// Encodes the bodies of requests.
    public var encoder = JSONEncoder()
    /// The clock for timeouts and delays.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Returns the current date, for expiry and Retry-After.
    public var now: @Sendable () -> Date = { Date() }
    /// Returns a random number from 0 to 1, for jitter.
    public var random: @Sendable () -> Double = { Double.random(in: 0...1) }

    /// Creates the default settings.
    public init() {}

    /// The number of changes of the configuration that these settings come from.
    fileprivate(set) var generation = 0

    /// The users that responses belong to now: the settings' user, or else the ``accounts``.
    package var users: [String?] { users(with: accounts) }

    /// The ``users``, given the ``accounts`` of the same moment.
    func users(with accounts: [String?]) -> [String?] { user().map { [$0] } ?? accounts }

    /// The users whose credentials the accessories add now, one for each accessory; `nil` for an accessory without one.
    package var accounts: [String?] { accessories.map(\.user) }
}

/// Settings that can be changed while services use them.
///
/// ```swift
/// APIConfig.shared.update { $0.accessories.append(APIHeaderAccessory(["X-App": "demo"])) }
/// ```
///
/// All operations are thread-safe.
///
/// Source: seed 5, "APIConfig".
public final class APIConfig: Sendable {
    /// The settings of services that are created without their own.
    public static let shared = APIConfig()

    private let locked: Locked<APISettings>

    /// Creates settings that are independent of ``shared``.
    public init(_ settings: APISettings = APISettings()) { locked = Locked(settings) }

    /// The current settings.
    public var settings: APISettings { locked.withLock { $0 } }

    /// Changes the settings. The closure runs under a lock, so it must not use this object.
    public func update(_ change: @Sendable (inout APISettings) -> Void) {
        locked.withLock { settings in
            let generation = settings.generation
            change(&settings)
            settings.generation = generation + 1
        }
    }

    /// Removes the cached responses of a user, for example at logout. Does nothing if no cache is set.
    ///
    /// - Parameter user: The user that ``APISettings/user`` or an accessory has returned; `nil` for responses that
    ///   belong to no user.
    public func removeCachedResponses(of user: String?) { settings.cacheProvider?.removeAll(user: user) }
}
