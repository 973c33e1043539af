import APIService
import APITransport
import ApiCenter
import Foundation
import GateLedger
import Lifecycle
import SDKManagerApi
import Storage

/// A passenger's sample day, which an app plays with its modules.
///
/// The day depends only on the modules' Apis. An app creates its services with ``client`` and ``key``, wraps its modules with
/// ``watching(_:)``, registers ``gate``, launches them with ``connect(_:storage:)`` as the step before the launch,
/// and then plays the day as a ``DemoApp``.
public struct SampleDay: Sendable {
    /// An address that is not the URL of a server.
    public struct BadAddress: Error {
        /// The invalid text.
        public let text: String
    }

    /// The environment variable with the URL of the server that provides the banner.
    public static let bannerVariable = "HOME_BANNER_URL"

    /// The transport through which the app's services send requests to ``server``.
    public let client: any APIClient
    /// The key with which the app's services sign requests to ``server``.
    public let key = OperatorServer.key

    /// The settings with which the app's Gate reports its passages to ``server``, which computes the fares from them. The
    /// app registers them in its center.
    public var gate: GateSettings { GateSettings(report: { [server] in try server.report($0) }) }

    let diary = Diary()
    let clock = ServerClock()
    let gateSwitch = GateSwitch()
    let server: OperatorServer

    /// Prepares a day, and starts its server.
    ///
    /// - Parameter environment: The environment variables, which may name a server under ``bannerVariable``.
    /// - Throws: ``BadAddress`` when the variable is not the URL of a server; `POSIXError` when the server cannot
    ///   listen on loopback.
    public init(environment: [String: String] = [:]) throws {
        server = try OperatorServer(environment: environment) { [clock] in clock.now }
        client = RecordingClient(client: URLSessionAPIClient(), diary: diary)
    }

    /// Connects an app to ``server``: gives the server its wallets, and SDKManager the server's address. From then on, the day
    /// also records the calls of the Apis' members. An app does so when its modules have prepared, and before they get the
    /// event `launch`.
    ///
    /// - Parameters:
    ///   - center: The app's center.
    ///   - storage: The app's storage, in which the server keeps the passengers' wallets, so that they survive the day.
    /// - Throws: `StorageError` if the wallets cannot be read; `SDKManagerApiError` if SDKManager refuses the address.
    public func connect(_ center: ApiCenter, storage: Storage) throws {
        try server.keepWallets(in: storage)
        let configuration = SDKConfiguration(appID: "example.metro", baseURL: server.url)
        try center.api(type: SDKManagerApiProtocol.self)?.initialise(configuration) { _ in }
        diary.forward(in: center, gateSwitch)
    }

    /// Wraps modules, so that the day records their registrations and calls.
    ///
    /// - Parameter modules: The app's modules, before launch.
    public func watching(_ modules: [any Module]) -> [any Module] {
        modules.map { WatchedModule(wrapped: $0, diary: diary) }
    }
}
