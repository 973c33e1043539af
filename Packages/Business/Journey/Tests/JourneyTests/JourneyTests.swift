import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import Journey
import JourneyApi
import Links
import Pages
import Storage
import Testing
import UserApi
import UserApiFakes

@Suite("Journey")
struct JourneyTests {
    let storage = Storage.inMemory()
    let center = ApiCenter()
    /// A server that sends the first half of a statement, and the second half on request. The halves meet between the two
    /// characters that end a line.
    let client = StubAPIClient { request in
        let text = "Museum - Harbour\r\nMuseum - Old Town\r\n"
        guard request.value(forHTTPHeaderField: "Range") == "bytes=17-" else {
            let half = [Data(text.utf8.prefix(17))]
            return .init(
                headers: ["ETag": "\"1\""], pieces: half, error: .broken(URLError(.networkConnectionLost)))
        }
        return .init(
            statusCode: 206, headers: ["ETag": "\"1\"", "Content-Range": "bytes 17-36/37"],
            pieces: [Data(text.utf8.dropFirst(17))])
    }
    let network: APIService
    let journeys: any JourneyApiProtocol

    init() throws {
        network = APIService(client: client, config: .forTests())
        let token = APITokenAccessory(
            user: { [weak center] in center?.api(type: UserApiProtocol.self)?.session?.id }, token: { nil })
        network.config.update { $0.accessories = [token] }
        center.register(APIService.self) { [network] in network }
        center.register(Storage.self) { [storage] in storage }
        center.register(UserApiProtocol.self) { FakeUser("ann") }
        JourneyModule().register(in: center)
        journeys = try center.requireApi(type: JourneyApiProtocol.self)
    }

    private func ride(to station: String, after seconds: TimeInterval = 0) -> Journey {
        let date = Date(timeIntervalSince1970: 1_700_000_000 + seconds)
        return Journey(from: "Museum", to: station, date: date, cents: 1205)
    }

    @Test("Journey lists the newest rides first, up to the limit")
    func lists() async throws {
        for station in ["a", "b", "c"] { try await journeys.record(ride(to: station), of: "ann") }
        #expect(try journeys.journeys(limit: 10).map(\.to) == ["c", "b", "a"])
        #expect(try journeys.journeys(limit: 2).map(\.to) == ["c", "b"])
        #expect(try journeys.journeys(limit: 0).isEmpty)
        #expect(try journeys.journeys(limit: -1).isEmpty)
    }

    @Test("Journeys are listed by their dates, and those of equal dates in the order of saving")
    func savedLate() async throws {
        for (station, seconds) in [("c", 20.0), ("a", 0), ("b", 10), ("a2", 0)] {
            try await journeys.record(ride(to: station, after: seconds), of: "ann")
        }
        #expect(try journeys.journeys(limit: 10).map(\.to) == ["c", "b", "a2", "a"])
        #expect(try journeys.journeys(limit: 1).map(\.to) == ["c"])
    }

    @Test("Journey keeps each passenger's journeys separately and across a restart")
    func restart() async throws {
        try await journeys.record(ride(to: "a"), of: "ann")
        let next = ApiCenter()
        next.register(APIService.self) { [client] in APIService(client: client, config: .forTests()) }
        next.register(Storage.self) { [storage] in storage }
        next.register(UserApiProtocol.self) { FakeUser("ann") }
        // A change of the stored format needs another version and a migration.
        let saved = try storage.document("journeys", version: 1, default: [String: [Journey]]())
        #expect(saved.value == ["ann": [ride(to: "a")]])
        JourneyModule().register(in: next)
        let later = try next.requireApi(type: JourneyApiProtocol.self)
        #expect(try later.journeys(limit: 1) == [ride(to: "a")])
        next.replaceApi(type: UserApiProtocol.self) { FakeUser("bob") }
        #expect(try later.journeys(limit: 1).isEmpty)
    }

    @Test("Journey throws notLoggedIn when the app has no User module")
    func notLoggedIn() async {
        center.removeApi(api: UserApiProtocol.self)
        #expect(throws: JourneyApiError.notLoggedIn) { try journeys.journeys(limit: 1) }
    }

    @Test("A journey is saved for its passenger, whoever is logged in, and only once")
    func records() async throws {
        center.replaceApi(type: UserApiProtocol.self) { FakeUser("bob") }
        for _ in 0..<2 { try await journeys.record(ride(to: "a"), of: "ann") }
        #expect(try journeys.journeys(limit: 9).isEmpty)
        center.replaceApi(type: UserApiProtocol.self) { FakeUser("ann") }
        #expect(try journeys.journeys(limit: 9) == [ride(to: "a")])
    }

    @Test(
        "Nobody gets the statement of a passenger who logs out during the download", arguments: ["bob", nil])
    func statementOfAnother(next: String?) async throws {
        let center = ApiCenter()
        let client = StubAPIClient { [weak center] _ in
            center?.replaceApi(type: UserApiProtocol.self) { FakeUser(next) }
            return .text("Museum - Harbour\n")
        }
        let journeys = try journeys(in: center, client)
        await #expect(throws: JourneyApiError.notLoggedIn) { try await journeys.statement() }
        #expect(client.requests.count == 1)
    }

    @Test("A statement is not requested with the token of a passenger who has just logged in")
    func statementWithAnotherToken() async throws {
        let client = StubAPIClient { _ in .text("Museum - Harbour\r\n") }
        let center = ApiCenter()
        let journeys = try journeys(in: center, client, tokenOf: "bob")
        let error = await #expect(throws: JourneyApiError.self) { try await journeys.statement() }
        guard case .unreachable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(client.requests.isEmpty)
    }

    @Test("A statement that a crash has left behind is removed, but no download of another process")
    func leftovers() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "journeys-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = try Storage(folder: folder), next = ApiCenter()
        for (name, age) in [
            ("statement-1", 25.0), ("statement-2", 0), ("statement-ann.part", 25), ("stops", 25),
        ] {
            let file = folder.appending(path: name)
            try Data().write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age * 3600)], ofItemAtPath: file.path)
        }
        next.register(APIService.self) { [network] in network }
        next.register(Storage.self) { storage }
        JourneyModule().register(in: next)
        _ = try next.requireApi(type: JourneyApiProtocol.self)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("st") }
                .sorted() == ["statement-2", "statement-ann.part", "stops"])
    }

    /// Registers Journey and Ann's session in another center. The requests get the token of `user`.
    private func journeys(
        in center: ApiCenter, _ client: StubAPIClient, tokenOf user: String = "ann"
    ) throws -> any JourneyApiProtocol {
        let network = APIService(client: client, config: .forTests()),
            server = URL(string: "https://transit.example")
        network.config.update {
            $0.baseURL = server
            $0.accessories = [APITokenAccessory(user: { user }, token: { nil })]
        }
        center.register(APIService.self) { network }
        center.register(Storage.self) { [storage] in storage }
        center.register(UserApiProtocol.self) { FakeUser("ann") }
        JourneyModule().register(in: center)
        return try center.requireApi(type: JourneyApiProtocol.self)
    }

    @Test("If the journeys cannot be read, the app has no Journey, rather than one that says notLoggedIn")
    func unreadable() throws {
        let storage = Storage.inMemory(), next = ApiCenter()
        _ = try storage.document("journeys", version: 1, default: "of another type")
        next.register(APIService.self) { [network] in network }
        next.register(Storage.self) { storage }
        next.register(UserApiProtocol.self) { FakeUser("ann") }
        JourneyModule().register(in: next)
        let error = #expect(throws: ApiError.self) { try next.requireApi(type: JourneyApiProtocol.self) }
        #expect((error?.cause as? StorageError)?.code == .conflict)
    }

    @Test("An interrupted download of a statement continues where it stopped")
    func statement() async throws {
        await #expect(throws: JourneyApiError.self) { try await journeys.statement() }
        let server = try #require(URL(string: "https://transit.example"))
        network.config.update { $0.baseURL = server }
        let error = await #expect(throws: JourneyApiError.self) { try await journeys.statement() }
        #expect(error == .unreachable("The connection to the server was lost; please try again."))
        #expect(try await journeys.statement() == ["Museum - Harbour", "Museum - Old Town"])
        #expect(client.requests.map { $0.value(forHTTPHeaderField: "Range") } == [nil, "bytes=17-"])
        center.removeApi(api: UserApiProtocol.self)
        await #expect(throws: JourneyApiError.notLoggedIn) { try await journeys.statement() }
    }

    private func page(in center: ApiCenter) async throws -> any Page {
        let main = try #require(JourneyModule().links(in: center).first(.route(JourneyRoute.main)))
        return try #require(try await main.call() as? any Page)
    }

    @Test("Journey's page lists the 20 newest journeys")
    func page() async throws {
        let page = try await page(in: center)
        let button = PageContent.button("Get the statement", action: "statement")
        #expect(try await page.contents() == [.text("You have not taken any journeys yet."), button])
        for number in 0...20 {
            try await journeys.record(ride(to: "\(number)", after: Double(number)), of: "ann")
        }
        let rows = (1...20).reversed().map { PageRow("Museum - \($0)", detail: "€12.05, 2023-11-14") }
        #expect(try await page.contents() == [.rows(rows), button])
        await #expect(throws: PageError.self) { try await page.perform(PageTap("other")) }
        center.removeApi(api: UserApiProtocol.self)
        let error = try await #require(throws: JourneyApiError.self) { _ = try await page.contents() }
        #expect(await page.failure(for: error).wayOut?.target == .address(PageAddress(UserRoute.main)))
    }

    @Test(
        "The page of a statement lists the journeys, which the passenger may save",
        arguments: [
            ("0 journeys", []), ("1 journey", ["Museum - Harbour"]), ("2 journeys", ["A - B", "B - C"]),
        ])
    func statementPage(count: String, lines: [String]) async throws {
        let center = ApiCenter()
        let text = lines.map { $0 + "\n" }.joined()
        _ = try journeys(in: center, StubAPIClient { _ in .text(text) })
        let step = try await page(in: center).perform(PageTap("statement"))
        guard case .page(let statement) = step.place else {
            Issue.record("\(step)")
            return
        }
        let file = PageFile("Save the statement", name: "statement.txt", text: text)
        let parts = lines.isEmpty ? [] : [PageContent.rows(lines.map { PageRow($0) }), .file(file)]
        #expect(
            try await statement.contents() == [.text("The operator has charged you for \(count).")] + parts
                + [.rows([PageRow("My journeys", opens: JourneyRoute.main)])])
    }

    @Test("Journey's routes return its page and the journeys, and may be called from outside the app")
    func routes() async throws {
        try await journeys.record(ride(to: "Harbour"), of: "ann")
        let links = JourneyModule().links(in: center)
        #expect(links.allSatisfy { $0.callers == .outside })
        let list = try #require(links.first(.route(JourneyRoute.list)))
        #expect(try await list.call() as? [String] == ["2023-11-14 Museum - Harbour, €12.05"])
        #expect(try await (list.call(["limit": "1"]) as? [String])?.count == 1)
        for number in 1...10 { try await journeys.record(ride(to: "\(number)"), of: "ann") }
        #expect(try await (list.call() as? [String])?.count == 10)
        for limit in [0, -3, "0", "all"] as [any Sendable] {
            let error = await #expect(throws: ParameterError.self) { try await list.call(["limit": limit]) }
            #expect(error?.key == "limit", "\(limit)")
        }
        let main = links.first(.route(JourneyRoute.main))
        let page = try #require(try await main?.call() as? any Page)
        #expect(await page.title == "My journeys")
    }
}
