import ApiCenter
import Foundation
import Launch
import Lifecycle
import Links
import TestSupport

struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// Lines that any thread may append to, in order.
struct Journal: Sendable {
    private let lines = Shared<[String]>([])
    func note(_ line: String) { lines.update { $0.append(line) } }
    var all: [String] { lines.value }
}

/// A point that tasks wait for.
struct Gate: Sendable {
    private let ends = AsyncStream<Never>.makeStream()
    func open() { ends.continuation.finish() }
    func passed() async { for await _ in ends.stream {} }
}

/// A module that answers links, records what happens to it, and runs the closures of a test.
struct TestModule: Module, LinkAnswering {
    let name: String
    let version = "1.0.0"
    let journal: Journal
    var routes: [String] = []
    var onLinks: @Sendable () -> Void = {}
    var onRegister: @Sendable (ApiCenter) throws -> Void = { _ in }
    var onPrepare: @Sendable () async throws -> Void = {}
    var onEvent: @Sendable (LifecycleEvent) async throws -> Void = { _ in }

    func register(in center: ApiCenter) throws { try onRegister(center) }

    func prepare(in center: ApiCenter) async throws {
        try await onPrepare()
        journal.note("\(name) prepare")
    }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await onEvent(event)
        journal.note("\(name) \(event)")
    }

    func links(in center: ApiCenter) -> [Link] {
        onLinks()
        return routes.map { route in .route(route, from: .outside) { [name] _ in "\(name) \(route)" } }
    }
}

/// A registry of links that is neither Routes nor Mediator.
final class TestRouter: Sendable {
    private let handlers = Shared<[Link.Name: Handler]>([:])
    let journal: Journal
    /// Runs after the look-up and before the handler.
    let onCall: @Sendable (String) async -> Void

    init(_ journal: Journal = Journal(), onCall: @escaping @Sendable (String) async -> Void = { _ in }) {
        (self.journal, self.onCall) = (journal, onCall)
    }

    func has(_ route: String) -> Bool { handlers.value[.route(route)] != nil }

    func install(_ links: [Link]) throws {
        let installed = handlers.value
        for link in links where installed[link.name] != nil {
            throw Failure(description: "\(link.name) exists")
        }
        handlers.update { for link in links { $0[link.name] = link.handler } }
    }

    /// Looks a URL up, and returns the call of its handler.
    func find(_ url: String) throws -> @Sendable () async -> (any Sendable)? {
        journal.note("found \(url)")
        guard has(url) else { throw Failure(description: "no route \(url)") }
        return { [onCall] in
            await onCall(url)
            return url
        }
    }

    var links: AppLinks {
        let router = self
        return AppLinks(
            install: { links, _ in try router.install(links) },
            find: { link in try router.find(link.url) })
    }
}

/// Creates an app whose time limits do not expire on a slow machine.
func makeApp(
    _ modules: [any Module], center: ApiCenter = ApiCenter(), router: TestRouter? = nil,
    services: [EventService] = [],
    beforeLaunch: (@Sendable (ApiCenter) async throws -> Void)? = nil
) throws -> ModularApp {
    try ModularApp(
        modules, center: center, links: router?.links, services: services, timeLimit: .seconds(3600),
        eventLimit: .seconds(3600), beforeLaunch: beforeLaunch)
}
