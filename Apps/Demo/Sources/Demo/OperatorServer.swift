import Foundation
import GateApi
import Loopback
import Storage

/// The operator's server in the sample day: an HTTP server on loopback, in this process.
///
/// The banner comes from another server when the environment variable ``SampleDay/bannerVariable`` names one.
/// Thread-safe.
final class OperatorServer: Sendable, CustomStringConvertible {
    /// The credentials of the sample passenger, with which the sample day logs in.
    static let passenger = (phone: "13800138000", password: "correct horse")
    /// The key that signs the sample app's requests.
    static let key = Data("a key that only the operator and the host app know".utf8)
    /// How long the server accepts a token, in seconds.
    static let tokenLifetime: TimeInterval = 1800
    private static let bannerPath = "/home/banner"

    let url: URL
    private let banner: URL?
    private let answers: OperatorAnswers
    private let server: LoopbackServer

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - environment: The environment variables, which may name a server for the banner.
    ///   - now: The clock that determines when tokens expire.
    /// - Throws: ``SampleDay/BadAddress`` when the environment variable is not the URL of a server; `POSIXError`
    ///   when the server cannot listen.
    init(environment: [String: String], now: @escaping @Sendable () -> Date) throws {
        banner = try environment[SampleDay.bannerVariable].flatMap { $0.isEmpty ? nil : try Self.address($0) }
        let answers = OperatorAnswers(banner: banner, now: now)
        self.answers = answers
        server = try LoopbackServer(
            keepsRequests: false, sizeLimit: 1 << 16, connectionLimit: 64, silenceLimit: 60
        ) { request, connection in answers.answer(request, on: connection) }
        url = server.url("")
    }

    /// The number of tokens that replaced an expired one.
    var renewals: Int { answers.renewals.withLock { $0 } }

    /// Keeps the passengers' wallets in the app's storage, so that they survive the day.
    func keepWallets(in storage: Storage) throws { try answers.wallets.keep(in: storage) }

    /// Records a gate's report of a passage. After the first report, only rides whose passages were reported can be paid,
    /// except a ride that began before it.
    ///
    /// - Throws: `OperatorWallets.Refusal` if the record cannot be saved.
    func report(_ passage: GatePassage) throws {
        try answers.wallets.report(key: passage.key, station: passage.station)
    }

    /// The address, as shown in reports.
    var description: String {
        "\(url.absoluteString), in this process"
            + (banner.map { "; the banner from \($0.absoluteString)" } ?? "")
    }

    private static func address(_ text: String) throws(SampleDay.BadAddress) -> URL {
        guard var parts = URLComponents(string: text),
            ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false, parts.user == nil
        else { throw .init(text: text) }
        if ["", "/"].contains(parts.path) { parts.path = bannerPath }
        guard let url = parts.url else { throw .init(text: text) }
        return url
    }
}
