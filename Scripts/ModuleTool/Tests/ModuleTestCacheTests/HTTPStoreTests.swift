import Foundation
import Synchronization
import Testing

@testable import ModuleTestCache

@Suite("A store on a server", .enabled(if: CacheServer.hasClient, "needs curl"))
struct HTTPStoreTests {
    private final class Warnings: Sendable {
        let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }
    }

    private let server: CacheServer
    private let warnings = Warnings()
    private let record = PassedTests(key: "k1", target: "RideTests", tests: 12, seconds: 0.5)

    init() throws { server = try CacheServer() }

    private func store(token: String? = nil, limit: Int = 60) -> HTTPStore {
        let warning = FirstWarning { [warnings] text in warnings.texts.withLock { $0.append(text) } }
        return HTTPStore(server.address + "/", token: token, limit: limit, warning: warning)
    }

    @Test("A record is put to /ac/KEY and found there, with the token in the request")
    func roundTrip() {
        defer { server.stop() }
        #expect(store().record(of: "k1") == nil)
        store(token: "a\"b\\c").save(record)
        #expect(store().record(of: "k1") == record)
        #expect(server.requests == ["GET /ac/k1", "PUT /ac/k1 Bearer a\"b\\c", "GET /ac/k1"])
        store().save(PassedTests(key: "k1", target: "RideTests", tests: 0, seconds: 0))
        #expect(store().record(of: "k1")?.isWithdrawn == true)
        #expect(warnings.all == [])
    }

    @Test("CI systems say in variables that they test a pull request")
    func pullRequests() {
        server.stop()
        for (variables, isPullRequest) in [
            (["GITHUB_EVENT_NAME": "pull_request"], true),
            (["GITHUB_EVENT_NAME": "pull_request_target"], true),
            (["GITHUB_EVENT_NAME": "push"], false), (["CI_MERGE_REQUEST_IID": "7"], true),
            (["BUILDKITE_PULL_REQUEST": "false"], false), (["BITBUCKET_PR_ID": "7"], true),
            (["CI_PULL_REQUEST_NUMBER": "7"], true), ([:], false),
        ] {
            #expect(HTTPStore.isPullRequest(variables) == isPullRequest, "\(variables)")
        }
    }

    @Test("A server that is stopped is asked once, with one warning")
    func stopped() {
        server.stop()
        let store = store()
        for _ in 1...3 { #expect(store.record(of: "k1") == nil) }
        store.save(record)
        #expect(warnings.all.count == 1 && warnings.all[0].contains("does not answer"), "\(warnings.all)")
    }

    @Test("A server that never answers is asked once, with one warning")
    func silent() {
        defer { server.stop() }
        server.behaviour = .silent
        let store = store(limit: 1)
        for _ in 1...3 { #expect(store.record(of: "k1") == nil) }
        #expect(warnings.all.count == 1 && warnings.all[0].contains("does not answer"), "\(warnings.all)")
    }

    @Test("An answer that is not a record is a miss, with one warning")
    func rubbish() {
        defer { server.stop() }
        store().save(record)
        for behaviour in [CacheServer.Behaviour.rubbish, .status(500), .status(302), .status(200)] {
            server.behaviour = behaviour
            let store = store()
            let before = server.requests.count
            for _ in 1...2 { #expect(store.record(of: "k1") == nil) }
            #expect(server.requests.count == before + 1)
        }
        #expect(
            warnings.all.count == 4 && warnings.all.allSatisfy { $0.contains("with status") },
            "\(warnings.all)")
        server.behaviour = .status(403)
        store().save(record)
        #expect(warnings.all.last?.contains("status 403") == true)
        server.behaviour = .works
        #expect(store().record(of: "k1") == record)
    }
}
