import ApiCenter
import Providers
import TestSupport
import Testing

// MARK: The contents of an Api package

/// A destination for log messages.
protocol LoggerApiProtocol: Sendable {
    /// Logs a message.
    func log(_ message: String)

    /// Writes all buffered messages.
    func flush() throws(LoggerApiError)

    /// The number of stored messages.
    func count() async -> Int

    /// Uploads all messages, and returns the name of the logger that uploaded them.
    func upload() async throws(LoggerApiError) -> String
}

enum LoggerApiError: Error, Hashable {
    case failed([String])
}

/// Forwards to all loggers, so that callers see only one object.
struct AllLoggers: LoggerApiProtocol {
    let providers: Providers<LoggerApiProtocol>

    // Calls all loggers.
    func log(_ message: String) { providers.callAll { $0.log(message) } }

    // Calls all loggers, even if some fail, and then throws one error for all failures.
    func flush() throws(LoggerApiError) {
        do {
            try providers.callAll { try $0.flush() }.get()
        } catch {
            throw .failed(error.failures.map(\.description))
        }
    }

    // Calls all loggers and adds up their results.
    func count() async -> Int { await providers.callAll { await $0.count() }.reduce(0, +) }

    // Calls one logger after another until one succeeds.
    func upload() async throws(LoggerApiError) -> String {
        do {
            return try await providers.firstSuccess { try await $0.upload() }
        } catch {
            throw .failed(error.failures.map(\.description))
        }
    }
}

/// A logger that keeps its messages in memory. A test can make it fail.
final class MemoryLogger: LoggerApiProtocol {
    let lines = Shared<[String]>([])
    let name: String
    let isBroken: Bool

    init(name: String, isBroken: Bool = false) {
        self.name = name
        self.isBroken = isBroken
    }

    func log(_ message: String) { lines.update { $0.append(message) } }

    func flush() throws(LoggerApiError) {
        if isBroken { throw .failed(["\(name) is out of order"]) }
        lines.value = []
    }

    func count() async -> Int { lines.value.count }

    func upload() async throws(LoggerApiError) -> String {
        try flush()
        return name
    }
}

@Suite("Providers registered in ApiCenter")
struct ApiCenterTests {
    let center = ApiCenter()
    let file = MemoryLogger(name: "file")
    let remote = MemoryLogger(name: "remote", isBroken: true)

    init() {
        // The interface layer registers the set, and a struct that forwards to all its providers.
        let loggers = Providers<LoggerApiProtocol>()
        center.register(Providers<LoggerApiProtocol>.self) { loggers }
        center.register(LoggerApiProtocol.self) { AllLoggers(providers: loggers) }
    }

    private func launch() {
        // Each provider adds itself at launch, after all modules have registered.
        center.api(type: Providers<LoggerApiProtocol>.self)?.add(remote)
        center.api(type: Providers<LoggerApiProtocol>.self)?.add(file)
    }

    @Test("A set of providers can be registered as an Api, so that modules can add providers to the set")
    func providersAreAnApi() throws {
        launch()
        let loggers = try center.requireApi(type: Providers<LoggerApiProtocol>.self)
        #expect(loggers.all.count == 2)
        loggers.pick()?.log("to the first")
        #expect(remote.lines.value == ["to the first"])
        #expect(file.lines.value == [])
        #expect(
            center.allRegisteredApi() == [
                "Providers.Providers<ProvidersTests.LoggerApiProtocol>", "ProvidersTests.LoggerApiProtocol",
            ])
    }

    @Test("A caller of the Api reaches all providers through one object")
    func composite() async throws {
        let logger = try center.requireApi(type: LoggerApiProtocol.self)
        logger.log("too early: there is no logger yet")
        try logger.flush()
        launch()
        logger.log("hello")
        #expect(file.lines.value == ["hello"])
        #expect(remote.lines.value == ["hello"])
        #expect(await logger.count() == 2)
    }

    @Test("The composite calls all providers, then throws the Api's own error with all failures")
    func compositeErrors() throws {
        launch()
        let logger = try center.requireApi(type: LoggerApiProtocol.self)
        logger.log("hello")
        let error = #expect(throws: LoggerApiError.self) { try logger.flush() }
        guard case .failed(let reasons)? = error else { return }
        #expect(reasons.count == 1)
        #expect(reasons.first?.contains("ProvidersTests.MemoryLogger") == true)
        #expect(reasons.first?.contains("remote is out of order") == true)
        #expect(file.lines.value == [])
        #expect(remote.lines.value == ["hello"])
    }

    @Test("The composite falls back to the next provider for a call that needs only one result")
    func compositeFailOver() async throws {
        launch()
        #expect(try await center.requireApi(type: LoggerApiProtocol.self).upload() == "file")
    }
}
