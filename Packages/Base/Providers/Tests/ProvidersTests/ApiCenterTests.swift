import ApiCenter
import Providers
import Testing

// What an Api package holds.

/// Where messages go.
protocol LoggerApiProtocol: Sendable {
    /// Logs a message.
    func log(_ message: String)

    /// Writes out what is not written yet.
    func flush() throws(LoggerApiError)

    /// How many messages are there.
    func count() async -> Int

    /// Sends all messages away, and tells where they are now.
    func upload() async throws(LoggerApiError) -> String
}

/// Why a logger cannot do its work.
enum LoggerApiError: Error, Hashable {
    case failed([String])
}

/// All loggers as one: callers hold one object and do not know that there are many.
struct AllLoggers: LoggerApiProtocol {
    let providers: Providers<LoggerApiProtocol>

    // To each.
    func log(_ message: String) { providers.callAll { $0.log(message) } }

    // To each; those that fail do not stop the rest, and are told of together.
    func flush() throws(LoggerApiError) {
        do {
            try providers.callAll { try $0.flush() }.get()
        } catch {
            throw .failed(error.failures.map(\.description))
        }
    }

    // To each, and one value made of all.
    func count() async -> Int { await providers.callAll { await $0.count() }.reduce(0, +) }

    // To one, and to the next if that fails.
    func upload() async throws(LoggerApiError) -> String {
        do {
            return try await providers.firstSuccess { try await $0.upload() }
        } catch {
            throw .failed(error.failures.map(\.description))
        }
    }
}

/// A logger in memory, which may be out of order.
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

@Suite("Through ApiCenter")
struct ApiCenterTests {
    let center = ApiCenter()
    let file = MemoryLogger(name: "file")
    let remote = MemoryLogger(name: "remote", isBroken: true)

    init() {
        // The interface layer, at registration: the set, and all of them as one.
        let loggers = Providers<LoggerApiProtocol>()
        center.registerApi(type: Providers<LoggerApiProtocol>.self) { loggers }
        center.registerApi(type: LoggerApiProtocol.self) { AllLoggers(providers: loggers) }
    }

    private func launch() {
        // Each provider adds itself, at launch: then all have registered.
        center.api(type: Providers<LoggerApiProtocol>.self)?.add(remote)
        center.api(type: Providers<LoggerApiProtocol>.self)?.add(file)
    }

    @Test("the providers of an Api are an Api: modules add theirs without knowing each other")
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

    @Test("a caller of the Api reaches all of them and does not know that there are many")
    func composite() async throws {
        let logger = try center.requireApi(type: LoggerApiProtocol.self)
        logger.log("too early: nobody is there")
        try logger.flush()
        launch()
        logger.log("hello")
        #expect(file.lines.value == ["hello"])
        #expect(remote.lines.value == ["hello"])
        #expect(await logger.count() == 2)
    }

    @Test("the composite tells which of them failed, in the Api's own error, when the rest are done")
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

    @Test("the composite fails over where one answer is enough")
    func compositeFailOver() async throws {
        launch()
        #expect(try await center.requireApi(type: LoggerApiProtocol.self).upload() == "file")
    }
}
