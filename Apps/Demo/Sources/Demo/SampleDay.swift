import APIService
import Foundation
import Lifecycle

/// A sample day of a passenger, which an app plays with its modules.
///
/// The day depends on the modules' Apis alone. The app asks it for the server and the clock of its services,
/// lets it watch the modules, launches, and then hands itself in as a ``DemoApp``.
public struct SampleDay: Sendable {
    /// The text is not the address of a server.
    public struct BadAddress: Error {
        /// The text.
        public let text: String
    }

    /// The environment variable with the URL of the server that provides the banner.
    public static let bannerVariable = "HOME_BANNER_URL"

    let diary = Diary()
    let clock = GateClock()
    let server: OperatorServer

    /// Prepares a day.
    ///
    /// - Parameter environment: The environment, which may name a server under ``bannerVariable``.
    /// - Throws: ``BadAddress`` when the variable is not the URL of a server.
    public init(environment: [String: String] = [:]) throws(BadAddress) {
        server = try OperatorServer(environment: environment)
    }

    /// The transport to the operator's server, for the app's services.
    public var client: any APIClient { server }

    /// The clock of the gates, for the app's services. The day advances it to let a code expire.
    public var now: @Sendable () -> Date { { [clock] in clock.now } }

    /// The modules, whose registrations and calls the day records.
    ///
    /// - Parameters:
    ///   - modules: The modules to launch the app with.
    ///   - explain: Changes an error that a module throws while it registers, for the app's users.
    public func watching(
        _ modules: [any Module], explain: @escaping @Sendable (any Error) -> any Error = { $0 }
    ) -> [any Module] {
        modules.map { WatchedModule($0, diary: diary, explain: explain) }
    }
}
