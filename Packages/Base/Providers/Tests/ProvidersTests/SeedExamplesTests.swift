import Providers
import TestSupport
import Testing

// The examples of seed 3, layer by layer, with the seed's names. The seed's bridge is a
// singleton; here it is passed as a value, so that each test has its own.

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

/// Gives the layer above access to the services of the layer below.
struct ServerBridge: Sendable {
    let printers = Providers<PrintServerProtocol>()
    let loggers: Providers<LogServerProtocol>

    init(network: @escaping @Sendable () -> NetworkQuality) {
        loggers = Providers(tag: { network().rawValue })
    }

    var printer: PrintServerProtocol? { printers.pick() }
    var logger: LogServerProtocol? { loggers.pick() }
    var allLoggers: LogServerProtocol { LogServers(providers: loggers) }
}

/// Forwards to all log servers, so that callers see only one object.
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

    /// Adds a provider of its own type to the bridge.
    static func setUp(in bridge: ServerBridge, paper: Shared<[String]>) {
        bridge.loggers.add(LogServerNew(paper: paper), tags: [NetworkQuality.high.rawValue])
    }
}

/// Adds the services of the layer below to the bridge. `LogServerNew` adds itself.
enum ServerSetup {
    static func load(into bridge: ServerBridge, paper: Shared<[String]>) {
        bridge.printers.add(PrintServer(paper: paper))
        bridge.loggers.add(LogServer(paper: paper), tags: [NetworkQuality.low.rawValue])
        LogServerNew.setUp(in: bridge, paper: paper)
    }
}

// MARK: The layer above

@Suite("Seed 3's examples of interfaces and providers")
struct SeedExamplesTests {
    let paper = Shared<[String]>([])
    let network = Shared(NetworkQuality.low)
    let bridge: ServerBridge

    init() {
        bridge = ServerBridge { [network] in network.value }
    }

    @Test("Callers use the only provider without knowing its type")
    func printer() {
        #expect(bridge.printer == nil)
        ServerSetup.load(into: bridge, paper: paper)
        bridge.printer?.printHello()
        bridge.printer?.world()
        #expect(paper.value == ["PrintServer - printHello", "PrintServer - world"])
    }

    @Test("The quality of the network decides which of two log servers is used")
    func byNetworkQuality() {
        ServerSetup.load(into: bridge, paper: paper)
        bridge.logger?.log("one")
        network.value = .high
        bridge.logger?.log("two")
        #expect(paper.value == ["LogServer - one", "LogServerNew - two"])
    }

    @Test("One object forwards a message to all log servers in the order they were added")
    func broadcast() {
        ServerSetup.load(into: bridge, paper: paper)
        let logger = bridge.allLoggers
        logger.log("hello")
        #expect(paper.value == ["LogServer - hello", "LogServerNew - hello"])
    }
}
