import ArgumentParser
import Demo
import Instrumentation
import Logging
import RemotePairs

/// The options that secure a connection, for both commands.
struct SecurityOptions: ParsableArguments {
    @Option(help: "This side's certificate, a PEM file.") var certificate: String?
    @Option(help: "The key of the certificate, a PEM file.") var key: String?
    @Option(
        name: [.customLong("ca"), .customLong("client-ca")],
        help: "The authority that has signed the other side's certificate, a PEM file.")
    var authority: String?
    @Flag(help: "Allow any address, without encryption. Anyone on the network can then forge calls.")
    var insecure = false

    func security() throws(HostError) -> RemoteSecurity {
        switch (certificate, key, authority) {
        case (let certificate?, let key?, let authority?) where !insecure:
            return .mutualTLS(certificate: certificate, key: key, authority: authority)
        case (nil, nil, nil): return insecure ? .insecure : .loopback
        default:
            throw HostError(
                place: "--certificate, --key, --ca and --insecure",
                what: "these options cannot be combined as given",
                why: "mutual TLS needs a certificate, its key and an authority, and --insecure needs none",
                fix: "pass the three files, or only --insecure, or, on this machine, none of these options")
        }
    }
}

/// The logging option. The log goes to standard error.
struct LogOptions: ParsableArguments {
    @Option(help: "The minimum level of log messages. At the debug level, each remote call is logged.")
    var logLevel = Logger.Level.info

    /// Installs the log handler and the trace context carrier in this process.
    func start() {
        LoggingSystem.bootstrap(
            { label, provider in
                var handler = StreamLogHandler.standardError(label: label, metadataProvider: provider)
                handler.logLevel = logLevel
                return handler
            }, metadataProvider: TraceContext.metadata)
        InstrumentationSystem.bootstrap(TraceContext.Carrier())
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
extension ReportFormat: @retroactive ExpressibleByArgument {}
