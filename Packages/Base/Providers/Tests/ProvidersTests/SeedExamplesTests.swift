import Providers
import Testing

// The examples of seeds/3-InterfaceOriented.md, layer by layer, with its names. The bridge is an object that is
// handed on, where the seed has a singleton: each test has its own.

// MARK: The interface layer

protocol PrintServerProtocol: Sendable {
    func printHello()
    func world()
}

protocol LogServerProtocol: Sendable {
    func log(_ message: String)
}

enum NetworkQuality: String, Sendable {
    case low, high
}

/// Holds the services of the layer below, and hands them to the layer above.
struct ServerBridge: Sendable {
    let printers = Providers<PrintServerProtocol>()
    let loggers: Providers<LogServerProtocol>

    init(network: @escaping @Sendable () -> NetworkQuality) {
        loggers = Providers(condition: .tagged { network().rawValue })
    }

    var printer: PrintServerProtocol? { printers.pick() }
    var logger: LogServerProtocol? { loggers.pick() }
    var allLoggers: LogServerProtocol { LogServers(providers: loggers) }
}

/// All log servers as one: callers hold one object and do not know that there are many.
struct LogServers: LogServerProtocol {
    let providers: Providers<LogServerProtocol>

    func log(_ message: String) { providers.callAll { $0.log(message) } }
}

// MARK: The layer below

struct PrintServer: PrintServerProtocol {
    let paper: Shared<[String]>

    func printHello() { paper.update { $0.append("PrintServer - printHello") } }
    func world() { paper.update { $0.append("PrintServer - world") } }
}

struct LogServer: LogServerProtocol {
    let paper: Shared<[String]>

    func log(_ message: String) { paper.update { $0.append("LogServer - \(message)") } }
}

struct LogServerNew: LogServerProtocol {
    let paper: Shared<[String]>

    func log(_ message: String) { paper.update { $0.append("LogServerNew - \(message)") } }

    /// A provider that injects itself at its setup.
    static func setUp(in bridge: ServerBridge, paper: Shared<[String]>) {
        bridge.loggers.add(LogServerNew(paper: paper), tags: [NetworkQuality.high.rawValue])
    }
}

/// Injects the services from somewhere else, and lets the others inject themselves.
enum ServerSetup {
    static func load(into bridge: ServerBridge, paper: Shared<[String]>) {
        bridge.printers.add(PrintServer(paper: paper))
        bridge.loggers.add(LogServer(paper: paper), tags: [NetworkQuality.low.rawValue])
        LogServerNew.setUp(in: bridge, paper: paper)
    }
}

// MARK: The layer above

@Suite("The examples of the source document")
struct SeedExamplesTests {
    let paper = Shared<[String]>([])
    let network = Shared(NetworkQuality.low)
    let bridge: ServerBridge

    init() {
        bridge = ServerBridge { [network] in network.value }
    }

    @Test("One provider, injected at setup: callers know the interface only")
    func printer() {
        #expect(bridge.printer == nil)
        ServerSetup.load(into: bridge, paper: paper)
        bridge.printer?.printHello()
        bridge.printer?.world()
        #expect(paper.value == ["PrintServer - printHello", "PrintServer - world"])
    }

    @Test("Two log servers, one of which is chosen by the quality of the network")
    func byNetworkQuality() {
        ServerSetup.load(into: bridge, paper: paper)
        bridge.logger?.log("one")
        network.value = .high
        bridge.logger?.log("two")
        #expect(paper.value == ["LogServer - one", "LogServerNew - two"])
    }

    @Test("The caller may bring a condition of its own")
    func byTheCaller() {
        ServerSetup.load(into: bridge, paper: paper)
        bridge.loggers.setCondition(nil)
        bridge.loggers.pick { $0.tags.contains(NetworkQuality.high.rawValue) }?.log("one")
        #expect(paper.value == ["LogServerNew - one"])
    }

    @Test("A message to one object is forwarded to all, in the order in which they were added")
    func broadcast() {
        ServerSetup.load(into: bridge, paper: paper)
        let logger = bridge.allLoggers
        logger.log("hello")
        #expect(paper.value == ["LogServer - hello", "LogServerNew - hello"])
    }
}
