import APIService
import APITransport
import AppModules
import ArgumentParser
import Foundation
import GateLedger
import GateSQLite
import Launch
import Logging
import RemotePairs
import ServiceLifecycle
import Storage

/// `Host serve`: serves pairs to other processes.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves pairs to other processes, until SIGTERM or SIGINT.",
        discussion: """
            Prints one line with the address once the server listens. When the server stops, calls in progress get 10 \
            seconds to finish.

            EXAMPLE
              Host serve Gate --listen 127.0.0.1:7443 --database gate.sqlite
            """)

    @Argument(help: "The pairs to serve: \(OfferedPair.all.map(\.name).joined(separator: ", ")).")
    var pairs: [String]
    @Option(help: "The address to listen on. With port 0, the system chooses a port.")
    var listen = "127.0.0.1:7443"
    @Option(
        help: """
            The SQLite file for Gate's codes, which several hosts on this machine can share. By default, the codes are \
            in memory.
            """)
    var database: String?
    @OptionGroup var security: SecurityOptions
    @OptionGroup var logging: LogOptions

    func run() async throws {
        let offered = try pairs.map { name throws(HostError) in try OfferedPair.named(name) }
        let (address, security) = (try RemoteAddresses(listen), try security.security())
        // Reports invalid options before the app creates its database.
        _ = try RemoteServer([], on: address, security: security)
        guard database != "" else {
            throw HostError(
                place: "--database", what: "the name of the file is empty",
                why: "the codes are kept in this file", fix: "pass a file such as gate.sqlite"
            )
        }
        logging.start()
        let log = Logger(label: "Host")
        var options = RemoteServer.Options()
        options.onCall = CallLog(log).note
        let app = try await launch(log)
        let server = try RemoteServer(
            try offered.map { try $0.service(app.center) }, on: address, security: security, options: options)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: Listening(server: server, pairs: pairs, address: listen))],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: log))
        try await group.run()
        await app.send(.terminate).failureLines.forEach(Main.complain)
    }

    /// Launches an app with only the served pairs.
    private func launch(_ log: Logger) async throws -> ModularApp {
        if database == nil {
            log.notice(
                "The codes are in memory. They are lost when this process ends. Pass --database to keep them."
            )
        }
        let center = Main.center(
            gate: GateSettings(ledger: try database.map { try SQLiteLedger(file: URL(filePath: $0)) }))
        let app = try ModularApp(
            Registrations.modules.filter { pairs.contains($0.name) },
            on: AppServices(storage: .inMemory(), client: URLSessionAPIClient()), center: center)
        await app.launch().failureLines.forEach(Main.complain)
        return app
    }
}

/// Runs a server, and prints its address once it listens.
private struct Listening: Service {
    let server: RemoteServer
    let pairs: [String]
    let address: String

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await server.run()
                } catch {
                    throw HostError(
                        place: "the address '\(address)'", what: "Host cannot listen on it: \(error)",
                        why: "an address belongs to one machine, where only one process can listen on it",
                        fix: "end the other process, or choose another address with --listen", isUsage: false)
                }
            }
            // If the server cannot listen, its own error says why.
            if let address = try? await server.address {
                let line = "Serving \(pairs.joined(separator: ", ")) at \(address)\n"
                FileHandle.standardOutput.write(Data(line.utf8))
            }
            try await group.waitForAll()
        }
    }
}
