import AppModules
import ArgumentParser
import Demo
import Foundation
import Launch
import Lifecycle
import Logging
import RemotePairs
import ServiceContextModule
import Storage

/// `Host day`: plays the sample day, with the named pairs in other processes.
struct PlayDay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "day",
        abstract: "Plays the sample day, and prints its steps and calls.",
        discussion: """
            Pairs without --remote run in this process. If a remote call cannot be completed, the day continues, and \
            the exit code is 1.

            EXAMPLE
              Host day --remote Gate=127.0.0.1:7443,127.0.0.1:7444
            """)

    @Option(
        name: .customLong("remote"),
        help: """
            Call this pair in another process, at the first of these addresses that responds. Examples: \
            Gate=127.0.0.1:7443,[::1]:7444 or Gate=dns:gate.internal:7443. Repeatable.
            """)
    var remotes: [String] = []
    @Option(help: "The folder that holds the app's data. By default, the data is in memory only.")
    var data: String?
    @Option(help: "The format of the report: text or json.")
    var format = ReportFormat.text
    @OptionGroup var security: SecurityOptions
    @OptionGroup var logging: LogOptions

    func run() async throws {
        let security = try security.security()
        var modules = Registrations.modules, connections: [RemoteConnection] = []
        logging.start()
        let calls = CallLog(Logger(label: "Host"))
        for remote in remotes {
            guard let sign = remote.firstIndex(of: "=") else {
                throw HostError(
                    place: "--remote \(remote)", what: "the addresses are missing",
                    why: "a pair in another process is called at its address",
                    fix: "write the pair, '=' and its addresses, such as --remote Gate=127.0.0.1:7443")
            }
            let pair = try OfferedPair.named(String(remote[..<sign]))
            guard let index = modules.firstIndex(where: { $0.name == pair.name }) else {
                throw HostError(
                    place: "--remote \(pair.name)",
                    what: "the pair is named twice, or this build leaves it out",
                    why: "a remote pair replaces the one in this process",
                    fix: "write all addresses of a pair in one --remote, and build with the pair's trait")
            }
            var options = RemoteConnection.Options()
            options.onCall = calls.note
            // A passenger at a gate would not wait any longer.
            options.deadline = .seconds(3)
            let addresses = try RemoteAddresses(String(remote[remote.index(after: sign)...]))
            let connection = try RemoteConnection(to: addresses, security: security, options: options)
            modules[index] = RemoteModule(pair, at: addresses, through: connection)
            connections.append(connection)
        }
        let complaints = try await withThrowingTaskGroup(of: Void.self) { [connections, modules] group in
            for connection in connections { group.addTask { try await connection.run() } }
            let complaints = try await play(modules)
            connections.forEach { $0.stop() }
            try await group.waitForAll()
            return complaints
        }
        complaints.forEach(Main.complain)
        let failures = calls.failures
        if let failures { Main.complain(failures) }
        if !complaints.isEmpty || failures != nil { throw ExitCode(1) }
    }

    /// Plays the day as one trace, prints the report, and returns the modules' failures.
    private func play(_ modules: [any Module]) async throws -> [String] {
        let day = try SampleDay(environment: ProcessInfo.processInfo.environment)
        let services = AppServices(storage: try storage(), client: day.client, key: day.key)
        let app = try ModularApp(
            day.watching(modules), on: services, center: Main.center(gate: day.gate)
        ) { center in
            try day.connect(center, storage: services.storage)
        }
        let launch = await app.launch()
        let demo = DemoApp(
            day: day, app: app, launch: launch, names: Registrations.names, routes: services.routes,
            mediator: services.mediator, notifications: services.notifications, storage: services.storage)
        var context = ServiceContext.topLevel
        context.trace = TraceContext()
        let report = try await ServiceContext.withValue(context) {
            try await demo.trace(as: format, complain: Main.complain)
        }
        print(report, terminator: "")
        return launch.failureLines + (await app.send(.terminate)).failureLines
    }

    private func storage() throws -> Storage {
        guard let data else { return .inMemory() }
        let folder = URL(filePath: data, directoryHint: .isDirectory)
        return try Storage(folder: folder, secrets: FileSecrets(folder: folder.appending(path: "secrets")))
    }
}
