import Foundation

/// How a host app sets the SDK up.
public struct SDKConfiguration: Sendable, Hashable {
    /// The host app's identifier with the operator: letters, digits, `.` and `-`.
    public let appID: String
    /// The operator's server: an `https` URL without a path of its own, or `http` on this machine.
    public let baseURL: URL

    /// A configuration of these parts. It is checked when the SDK is set up with it.
    public init(appID: String, baseURL: URL) {
        (self.appID, self.baseURL) = (appID, baseURL)
    }
}

/// In what state the SDK starts.
public enum SDKStart: Sendable, Hashable {
    /// Nobody is logged in.
    case loggedOut
    /// A passenger is logged in; the name to show.
    case loggedIn(name: String)
}

/// An item behind the "more" button.
public struct SDKMenuItem: Sendable, Hashable {
    /// What the passenger reads.
    public let title: String
    /// The route of the page that it shows.
    public let route: String

    /// An item of these parts.
    public init(title: String, route: String) {
        (self.title, self.route) = (title, route)
    }
}

/// What is wrong with a configuration.
public enum SDKManagerApiError: Error, Sendable, Hashable {
    /// A field has a value that cannot be used, and why.
    case invalid(field: String, value: String, reason: String)
}
