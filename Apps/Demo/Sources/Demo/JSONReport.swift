import Foundation
import Lifecycle

/// A launch as one JSON object. Durations are in seconds.
struct JSONReport: Encodable {
    struct Module: Encodable {
        let name: String
        let isInThisBuild: Bool
        let version: String?
        let registration, preparation: Part?
    }

    struct Part: Encodable {
        let module: String
        let seconds: Double
        let outcome: String
        let error: String?

        init(_ entry: LifecycleReport.Entry) {
            module = entry.module
            seconds = entry.duration.seconds
            (outcome, error) =
                switch entry.outcome {
                case .succeeded: ("succeeded", nil)
                case .failed(let error): ("failed", error)
                case .timedOut(let limit): ("timedOut", "still busy after \(limit)")
                case .skipped: ("skipped", nil)
                }
        }
    }

    let modules: [Module]
    let launch: [Part]
    /// For each module, the modules in its `after` list that are not in this build.
    let absent: [String: [String]]
    let day: JSONDay

    init(_ launch: Launch) {
        modules = launch.modules.map {
            Module(
                name: $0.name, isInThisBuild: $0.version != nil, version: $0.version,
                registration: $0.registration.map(Part.init),
                preparation: $0.preparation.map(Part.init))
        }
        self.launch = launch.report.entries.map(Part.init)
        absent = Dictionary(grouping: launch.absent, by: \.namedBy).mapValues { $0.map(\.name) }
        day = JSONDay(launch.day)
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
