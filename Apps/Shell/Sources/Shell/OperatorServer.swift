import APIService
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The operator's server, as the app sees it: recorded answers, except that the banner comes from a real server
/// when the environment names one.
struct OperatorServer: APIStreamingClient, CustomStringConvertible {
    /// The environment's name for the real server.
    static let variable = "HOME_BANNER_URL"

    private static let bannerPath = "/home/banner"

    private let banner: URL?
    /// Made when it is needed only: on Linux, Foundation makes a folder for cookies in the user's home for it.
    private let real: URLSessionAPIClient?

    /// - Throws: ``UsageError`` when the environment names something else than a server.
    init(environment: [String: String]) throws(UsageError) {
        guard let text = environment[Self.variable], !text.isEmpty else {
            (banner, real) = (nil, nil)
            return
        }
        guard var parts = URLComponents(string: text),
            ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false, parts.user == nil
        else { throw .badServer(text) }
        if ["", "/"].contains(parts.path) { parts.path = Self.bannerPath }
        guard let url = parts.url else { throw .badServer(text) }
        (banner, real) = (url, URLSessionAPIClient())
    }

    /// Where the answers come from, for a person.
    var description: String {
        banner.map { "recorded, and the banner from \($0.absoluteString)" } ?? "recorded"
    }

    /// Who is asked for the banner, for a person.
    var bannerSource: String { banner?.absoluteString ?? "the recorded server" }

    func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        if let banner, let real, request.url?.path == Self.bannerPath {
            var request = request
            request.url = banner
            // Whoever listens on the way may not have the passenger's session.
            let isHere = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(banner.host() ?? "")
            if banner.scheme?.lowercased() != "https", !isHere {
                request.setValue(nil, forHTTPHeaderField: "Authorization")
            }
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
