import APIService
import APIServiceTesting
import APITransfers
import APITransport
import Foundation
import TestSupport
import Testing

/// The properties that all requests to one server share.
private protocol HubRequest: APIRequest {}

extension HubRequest {
    var baseURL: URL { CallSitesTests.server.map { $0.url("") } ?? url("http://hub.example") }
}

@Suite("Common tasks")
struct CallSitesTests {
    @TaskLocal fileprivate static var server: LoopbackServer?

    @Test("A list with dates, a body, a token refresh, a form and a download work as the README shows")
    func tasks() async throws {
        let server = try LoopbackServer { request, connection in
            switch request.path {
            case "/repos" where request.method == "GET":
                connection.answer(200, [:], Data(#"[{"name":"a","pushedAt":"2026-11-22T10:00:00Z"}]"#.utf8))
            case "/archive" where request.fields["authorization"] != "Bearer new": connection.answer(401)
            case "/archive": connection.answer(200, ["ETag": "\"1\""], LoopbackServer.fileContent)
            default: connection.answer(200)
            }
        }
        let folder = try TemporaryFolder()
        let (file, part, photo) = (folder.file("archive"), folder.file("part"), folder.file("photo"))
        try Data("photo".utf8).write(to: photo)
        let session = Recorded((user: "ann", token: "old"))
        @Sendable func newToken(of user: String?) async throws -> String { user == "ann" ? "new" : "" }
        let token = APITokenAccessory(user: { session.value.user }, token: { session.value.token })
        // With a virtual clock, the token refresh cannot time out on a slow machine.
        let config = testSettings { ($0.accessories, $0.clock) = ([token], VirtualClock()) }
        let service = APIService(client: URLSessionAPIClient(), config: config)
        try await Self.$server.withValue(server) {
            struct Call<Response: APIParsable>: HubRequest {
                let path: String
                var method = APIRequestMethod.get
                var taskType = APIRequestTaskType.request
            }
            struct Repo: APIDefaultJSONParsable, Encodable {
                let name: String
                let pushedAt: Date
            }
            struct AddRepo: HubRequest {
                typealias Response = APIEmpty
                let path = "/repos"
                let method = APIRequestMethod.post
                let body: Repo
            }
            config.update { settings in
                settings.decoder.dateDecodingStrategy = .iso8601
                settings.tokenRefresh = APITokenRefresh { user in
                    try await newToken(of: user)
                } store: { token, user in
                    session.update { if $0.user == user { $0.token = token } }
                }
                settings.retry = APIRetryPolicy(maximumAttempts: 3)
            }
            let repos = try await service.sendRequest(Call<[Repo]>(path: "/repos"))
            _ = try await service.sendRequest(AddRepo(body: repos[0]))
            let form = APIMultipartForm([.init(name: "photo", content: .file(photo))])
            let photos = Call<APIEmpty>(path: "/photos", method: .post, taskType: .multipart(form))
            _ = try await service.sendRequest(photos, progressHandler: { print($0.completed) })
            let archive = APIRequestTaskType.download(APIDownload(to: file, partial: part))
            _ = try await service.sendRequest(Call<APIDownloadedFile>(path: "/archive", taskType: archive))
        }
        #expect(try Data(contentsOf: file) == LoopbackServer.fileContent)
        let requests = server.requests
        #expect(requests.map(\.path) == ["/repos", "/repos", "/photos", "/archive", "/archive"])
        #expect(String(decoding: requests[1].body, as: UTF8.self).contains("\"name\":\"a\""))
        #expect(requests[2].body.range(of: Data("\r\n\r\nphoto\r\n".utf8)) != nil)
    }
}
