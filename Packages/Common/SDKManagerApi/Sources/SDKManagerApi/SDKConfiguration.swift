import Foundation

/// The SDK's configuration, from the host app.
public struct SDKConfiguration: Sendable, Hashable {
    /// The identifier that the operator assigned to the host app: letters, digits, `.` and `-`.
    public let appID: String
    /// The URL of the operator's server: `https` without a path, or `http` for a server on this machine.
    public let baseURL: URL

    /// Creates a configuration. ``SDKManagerApiProtocol/initialise(_:jump:)`` validates it.
    public init(appID: String, baseURL: URL) {
        (self.appID, self.baseURL) = (appID, baseURL)
    }
}

/// The login state in which the SDK starts.
public enum SDKStart: Sendable, Hashable {
    /// Nobody is logged in.
    case loggedOut
    /// A passenger with this display name is logged in.
    case loggedIn(name: String)
}

/// An item of the "more" menu.
public struct SDKMenuItem: Sendable, Hashable {
    /// The title that the passenger sees.
    public let title: String
    /// The route of the page that the item opens.
    public let route: String

    /// Creates a menu item.
    public init(title: String, route: String) {
        (self.title, self.route) = (title, route)
    }
}

/// An error thrown by SDKManager's Api.
public enum SDKManagerApiError: Error, Sendable, Hashable {
    /// A field of the configuration has an invalid value, for the given reason.
    case invalid(field: String, value: String, reason: String)
}
