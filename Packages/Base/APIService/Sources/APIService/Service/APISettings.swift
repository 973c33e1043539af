import Foundation
import Locking

/// What a service's sends have in common. A send uses the settings as they are when it starts.
public struct APISettings: Sendable {
    /// What adapts every attempt, in order.
    public var accessories: [any APIAccessory] = []
    /// What gets a new token when the old one is refused.
    public var tokenRefresh: APITokenRefresh?
    /// How failed attempts are repeated, unless the request says otherwise. Never by default.
    public var retry: APIRetryPolicy = .never
    /// How long a send may take, unless the request says otherwise; nil: for ever. A minute by default.
    public var timeout: Duration? = .seconds(60)
    /// The cache behind ``APICache``.
    public var cacheTool: any APICacheTool = CacheTool.shared
    /// Whose answers these are: caches keep users apart by it. When it is nil, the accessories' users do, and
    /// when there are none either, the credentials in the request's own header fields. Where several accessories have
    /// users, answers are for all of them together, and no single one's ``APICacheTool/removeAll(user:)`` reaches them:
    /// then say here whose they are.
    public var user: @Sendable () -> String? = { nil }
    /// Whether the network can be reached, as far as is known. It tells ``APIError/networkError`` from other
    /// failures afterwards; it never keeps a request from being sent.
    public var isReachable: @Sendable () -> Bool? = { nil }
    /// What measures time-outs and waits.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// What tells the date, for expiry and Retry-After.
    public var now: @Sendable () -> Date = { Date() }
    /// A number from 0 to 1, for jitter.
    public var random: @Sendable () -> Double = { Double.random(in: 0...1) }

    /// The defaults.
    public init() {}

    /// Whose answers these are now: the settings' user, else those of all accessories that add credentials.
    var users: [String] { user().map { [$0] } ?? accessories.compactMap(\.user) }

    /// What a failure was: a connection that broke when the network was gone is ``APIError/networkError``.
    func diagnosed(_ error: APIError) -> APIError {
        if case .connectionError = error, isReachable() == false { return .networkError }
        return error
    }
}

/// Settings that can be changed while services use them.
///
/// ```swift
/// APIConfig.shared.cacheTool = CacheTool.shared
/// APIConfig.shared.update { $0.accessories.append(APIHeaderAccessory(["X-App": "demo"])) }
/// ```
///
/// All operations are safe from every thread.
///
/// Source: seeds/5-CSAPIService.md, "APICache".
public final class APIConfig: Sendable {
    /// What services use that are given no other.
    public static let shared = APIConfig()

    private let locked: Locked<APISettings>

    /// Settings of its own.
    public init(_ settings: APISettings = APISettings()) { locked = Locked(settings) }

    /// The settings as they are now.
    public var settings: APISettings { locked.withLock { $0 } }

    /// Changes settings. `change` must not use this object.
    public func update(_ change: @Sendable (inout APISettings) -> Void) {
        locked.withLock { change(&$0) }
    }

    /// The cache behind ``APICache``.
    public var cacheTool: any APICacheTool {
        get { settings.cacheTool }
        set { update { $0.cacheTool = newValue } }
    }
}
