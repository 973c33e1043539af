import APIService
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A stand-in for the operator's server that answers with recorded responses. The banner comes from a real
/// server when the environment variable ``SampleDay/bannerVariable`` names one.
struct OperatorServer: APIStreamingClient, CustomStringConvertible {
    private static let bannerPath = "/home/banner"

    private let banner: URL?
    /// The client of the real server. It is created only when needed, because on Linux its creation makes
    /// Foundation add a cookie folder to the user's home.
    private let real: URLSessionAPIClient?

    /// - Throws: ``SampleDay/BadAddress`` when the environment variable is not the URL of a server.
    init(environment: [String: String]) throws(SampleDay.BadAddress) {
        guard let text = environment[SampleDay.bannerVariable], !text.isEmpty else {
            (banner, real) = (nil, nil)
            return
        }
        guard var parts = URLComponents(string: text),
            ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false, parts.user == nil
        else { throw .init(text: text) }
        if ["", "/"].contains(parts.path) { parts.path = Self.bannerPath }
        guard let url = parts.url else { throw .init(text: text) }
        (banner, real) = (url, URLSessionAPIClient())
    }

    /// The source of the responses, as shown in reports.
    var description: String {
        banner.map { "recorded, except the banner from \($0.absoluteString)" } ?? "recorded"
    }

    /// The source of the banner, as shown in reports.
    var bannerSource: String { banner?.absoluteString ?? "the recorded server" }

    func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        if let banner, let real, request.url?.path == Self.bannerPath {
            var request = request
            request.url = banner
            // Without https, an eavesdropper could read the session token, so an unencrypted request carries
            // the token only if the server is on this machine.
            if !banner.isSafeForSecrets { request.setValue(nil, forHTTPHeaderField: "Authorization") }
            return real.createStreamRequest(
                request: request, upload: upload, progressHandler: progressHandler, eventHandler: eventHandler
            )
        }
        return APIStreamTask(eventHandler) { emit in
            let (status, body) = Recordings.answer(to: request)
            if let url = request.url,
                let head = HTTPURLResponse(
                    url: url, statusCode: status, httpVersion: "HTTP/1.1",
                    headerFields: ["Content-Type": "application/json"])
            {
                emit(.head(head))
            }
            emit(.piece(Data(body.utf8)))
            emit(.end(nil))
        }
    }
}
