import ApiCenter
import Lifecycle
import LoggerApi
import ModuleAApi
import ModuleBApi
import ModuleCApi
import RideApi

/// The events of the sample day.
extension DayStep.Part {
    /// ModuleA, ModuleB and ModuleC, which have no pages, get answers from each other.
    static let modulesAsk = event { app in
        let answers = [
            ("ModuleA", app.center.api(type: ModuleAApiProtocol.self)?.askOthers()),
            ("ModuleB", app.center.api(type: ModuleBApiProtocol.self)?.askOthers()),
            ("ModuleC", app.center.api(type: ModuleCApiProtocol.self)?.askOthers()),
        ]
        for case (let module, let answers?) in answers {
            let texts = answers.map { answer in answer.map { "\"\($0)\"" } ?? "no answer" }
            app.diary.note(.told("\(module) hears: \(texts.joined(separator: ", "))"))
        }
    }

    /// The system tells the app of an event, such as a link.
    static func send(_ event: LifecycleEvent) -> Self {
        .event { app in
            app.diary.note(.told("The system tells the app: \(event)"))
            for failure in await app.send(event) { app.diary.note(.refused(failure)) }
        }
    }

    /// The gates of a station report what they do, which the operator's server streams.
    static func gateReports(at station: String) -> Self {
        .event { app in
            guard let ride = app.center.api(type: RideApiProtocol.self) else { return }
            for try await event in ride.gateEvents(at: station) {
                app.diary.note(.told("The gate reports: \(event)"))
            }
        }
    }

    /// So much time passes that the passenger's token expires.
    static let tokenExpires = event { $0.day.clock.advance(by: OperatorServer.tokenLifetime) }

    /// The passenger reads the app's log.
    static let readLog = event { app in
        let lines = app.center.api(type: LoggerApiProtocol.self)?.recent(limit: 3) ?? []
        for line in lines { app.diary.note(.told(line)) }
    }
}
