import ApiCenter
import Launch
import Lifecycle
import TestSupport
import Testing

private protocol ServerApiProtocol: Sendable {
    func use(_ url: String) throws
}

private struct Server: ServerApiProtocol {
    let journal: Journal
    func use(_ url: String) { journal.note(url) }
}

@Suite("The examples in the README of Launch", .timeLimit(.minutes(10)), .waitLimit)
struct ExampleTests {
    @Test("The app of the README launches, gets an event, and opens a link")
    func example() async throws {
        let (journal, router) = (Journal(), TestRouter())
        let storage = EventService("Storage", background: { journal.note("suspend") })
        let modules: [any Module] = [
            TestModule(
                name: "A", journal: journal, routes: ["metro://journeys/2"],
                onRegister: { $0.register(ServerApiProtocol.self) { Server(journal: journal) } })
        ]
        let app = try ModularApp(modules, links: router.links, services: [storage]) { center in
            try center.requireApi(type: ServerApiProtocol.self).use("https://metro.example")
        }
        let report = await app.launch()
        for line in report.failureLines { print(line) }

        let delivery = app.post(.background)
        let link = app.open("metro://journeys/2")
        let page = try await link.value

        #expect(page as? String == "metro://journeys/2")
        #expect(await delivery.report.failures.isEmpty)
        #expect(
            journal.all.prefix(5) == [
                "A prepare", "https://metro.example", "A launch", "A background", "suspend",
            ])
    }
}
