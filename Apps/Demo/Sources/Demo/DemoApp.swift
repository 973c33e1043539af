import ApiCenter
import Foundation
import Lifecycle
import Mediator
import Routes
import Storage

/// The parts of a launched app that the sample day and the reports use.
public struct DemoApp: Sendable {
    let day: SampleDay
    let center: ApiCenter
    let host: ModuleHost
    let send: @Sendable (LifecycleEvent) async -> [String]
    let launch: LifecycleReport
    let names: [String]
    let routes: Routes
    let mediator: Mediator
    let notifications: NotificationCenter
    let storage: Storage

    var diary: Diary { day.diary }

    /// Wraps a launched app.
    ///
    /// - Parameters:
    ///   - day: The sample day, which records the modules' calls and supplies the server and the clock.
    ///   - center: The registry with the modules' Apis.
    ///   - host: The host that sends lifecycle events to the modules.
    ///   - launch: How each module handled the launch event.
    ///   - send: Sends an event to the app, and returns one line for each failure.
    ///   - names: The names of all modules, including those that are left out of the app.
    ///   - routes: The routes that the modules answer.
    ///   - mediator: The actions that the modules answer.
    ///   - notifications: The notification center that the modules post to.
    ///   - storage: The modules' stored data.
    public init(
        day: SampleDay, center: ApiCenter, host: ModuleHost, launch: LifecycleReport,
        send: @escaping @Sendable (LifecycleEvent) async -> [String],
        names: [String], routes: Routes, mediator: Mediator, notifications: NotificationCenter,
        storage: Storage
    ) {
        (self.day, self.center, self.host, self.launch) = (day, center, host, launch)
        (self.send, self.names) = (send, names)
        (self.routes, self.mediator) = (routes, mediator)
        (self.notifications, self.storage) = (notifications, storage)
    }
}

/// The output format of a report.
public enum ReportFormat: String, CaseIterable, Sendable {
    /// Text for a terminal, or one JSON object.
    case text, json
}

extension DemoApp {
    /// Plays the sample day, and returns a report of the modules and the day.
    ///
    /// - Parameters:
    ///   - callers: The modules whose calls are shown; empty for all. Each must be in the app.
    ///   - format: Text or JSON.
    ///   - complain: Receives the reasons of failures, which the passenger does not read.
    public func overview(
        callers: [String], as format: ReportFormat, complain: @escaping @Sendable (String) -> Void
    ) async throws -> String {
        let launch = await Launch(self, callers: callers, complain: complain)
        return switch format {
        case .json: try launch.indentedJSON + "\n"
        case .text: TextReport(launch, style: .forStandardOutput).description
        }
    }

    /// Reports what each module registers and answers.
    public func modules(as format: ReportFormat) throws -> String {
        let report = ModulesReport(self)
        return switch format {
        case .json: try report.indentedJSON + "\n"
        case .text: report.text(style: .forStandardOutput)
        }
    }

    /// Plays the sample day, and returns a report of its steps.
    ///
    /// - Parameters:
    ///   - format: Text or JSON.
    ///   - complain: Receives the reasons of failures, which the passenger does not read.
    public func trace(
        as format: ReportFormat, complain: @escaping @Sendable (String) -> Void
    ) async throws -> String {
        let day = await playDay(complain: complain)
        return switch format {
        case .json: try day.indentedJSON + "\n"
        case .text: DayReport(day.steps, style: .forStandardOutput).lines.joined(separator: "\n") + "\n"
        }
    }
}

extension Encodable {
    /// The value as indented JSON with sorted keys.
    public var indentedJSON: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
