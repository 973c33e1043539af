import ApiCenter
import Foundation
import Launch
import Lifecycle
import Mediator
import Routes
import Storage

/// The parts of a launched app that the sample day and the reports use.
public struct DemoApp: Sendable {
    let day: SampleDay
    let app: ModularApp
    let launch: LaunchReport
    let send: @Sendable (LifecycleEvent) async -> [String]
    let names: [String]
    let routes: Routes
    let mediator: Mediator
    let notifications: NotificationCenter
    let storage: Storage

    var center: ApiCenter { app.center }
    var diary: Diary { day.diary }

    /// Wraps a launched app.
    ///
    /// - Parameters:
    ///   - day: The sample day, which records the modules' calls and supplies the server and the clock.
    ///   - app: The launched app.
    ///   - launch: How its modules launched.
    ///   - names: The names of all modules, including those that are left out of the app.
    ///   - routes: The routes that the modules answer.
    ///   - mediator: The actions that the modules answer.
    ///   - notifications: The notification center that the modules post to.
    ///   - storage: The modules' stored data.
    ///   - send: Sends an event to the app, and returns one line for each failure; nil to send it unchanged.
    public init(
        day: SampleDay, app: ModularApp, launch: LaunchReport, names: [String], routes: Routes,
        mediator: Mediator,
        notifications: NotificationCenter, storage: Storage,
        send: (@Sendable (LifecycleEvent) async -> [String])? = nil
    ) {
        (self.day, self.app, self.launch, self.names) = (day, app, launch, names)
        self.send = send ?? { await app.send($0).failureLines }
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
        let launch = await Overview(self, callers: callers, complain: complain)
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
