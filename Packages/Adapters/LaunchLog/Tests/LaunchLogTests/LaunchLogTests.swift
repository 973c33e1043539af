import ApiCenter
import LaunchLog
import Lifecycle
import Links
import Logging
import TestSupport
import Testing

/// Records the lines of a logger.
private struct Recorder: LogHandler {
    let lines: Shared<[String]>
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).filter { $0.key != "duration" }.sorted { $0.key < $1.key }
        lines.update { $0.append("\(event.level) \(event.message) \(values.map { "\($0.value)" })") }
    }
}

private struct FailingModule: Module {
    struct NoDisk: Error {}
    let version = "1.0.0"
    func register(in center: ApiCenter) {}
    func prepare(in center: ApiCenter) async throws { throw NoDisk() }
}

private struct WorkingModule: Module {
    let version = "1.0.0"
    func register(in center: ApiCenter) {}
}

@Suite("Logging the phases of modules and the calls of links")
struct LaunchLogTests {
    private let lines = Shared<[String]>([])
    private var logger: Logger { Logger(label: "Test") { [lines] _ in Recorder(lines: lines) } }

    @Test("A module that fails to prepare is logged as an error")
    func lifecycle() async throws {
        let host = try ModuleHost(
            [FailingModule()], center: ApiCenter(), observers: [logger.lifecycleObserver])
        await host.prepare()
        #expect(
            lines.value == [
                #"debug A module has ended a phase ["Failing", "register"]"#,
                #"error A module failed: NoDisk() ["Failing", "prepare"]"#,
            ])
    }

    @Test("An event is logged without its URL")
    func events() async throws {
        let host = try ModuleHost(
            [WorkingModule()], center: ApiCenter(), observers: [logger.lifecycleObserver])
        await host.send(.openURL("app://pay?token=1"))
        #expect(
            lines.value.suffix(1) == [
                #"debug A module has ended a phase ["Working", "openURL"]"#
            ])
    }

    @Test("A call of a link is logged without its URL")
    func links() {
        let link = Link.route("page", fileID: "Home/HomeModule.swift", line: 3) { _ in nil }
        let call = LinkCall(
            url: "app://page?token=1", parameters: [:], from: .outside, fileID: "App/App.swift", line: 7,
            link: link)
        logger.linkObserver(call)(nil)
        logger.linkObserver(call)(FailingModule.NoDisk())
        #expect(
            lines.value == [
                #"debug A link was called ["App/App.swift:7", "page", "Home"]"#,
                #"error A link failed: NoDisk() ["App/App.swift:7", "page", "Home"]"#,
            ])
    }
}
