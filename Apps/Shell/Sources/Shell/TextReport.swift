import Foundation
import Lifecycle

/// A launch as text for a terminal of 80 columns, plain when it does not go to one.
struct TextReport: CustomStringConvertible {
    /// How headings and asides are set off.
    struct Style {
        let heading, aside, alarm: @Sendable (String) -> String

        static let plain = Style(heading: { $0 }, aside: { $0 }, alarm: { $0 })

        private static let terminal = Style(
            heading: { "\u{1B}[1m\($0)\u{1B}[0m" },
            aside: { "\u{1B}[2m\($0)\u{1B}[0m" },
            alarm: { "\u{1B}[31m\($0)\u{1B}[0m" })

        /// Colours on a terminal that has them, unless NO_COLOR asks for none.
        static var forStandardOutput: Style {
            let environment = ProcessInfo.processInfo.environment
            let wantsColour = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
            return wantsColour && isatty(STDOUT_FILENO) == 1 ? terminal : plain
        }
    }

    private let launch: Launch
    private let style: Style

    init(_ launch: Launch, style: Style) {
        self.launch = launch
        self.style = style
    }

    var description: String {
        let sections = [("Modules", modules), ("Calls", calls), ("Launch", report)]
        return sections.filter { !$0.1.isEmpty }
            .map { ([style.heading($0)] + $1).joined(separator: "\n") }
            .joined(separator: "\n\n") + "\n"
    }

    private var modules: [String] {
        launch.modules.map { module in
            guard let version = module.version, let entry = module.entry else {
                return style.aside("  \(padded(module.name)) left out of this build")
            }
            return "  \(padded(module.name)) \(version)  " + told(entry, verb: "registered")
        }
    }

    private var calls: [String] {
        launch.calls.flatMap { call in
            let api = call.api.split(separator: ".").last.map(String.init) ?? call.api
            let result = call.result.map { "\"\($0)\"" } ?? style.alarm("absent")
            return [
                "  \(padded(call.caller)) -> \(api)  \(result)",
                style.aside("  \(padded("")) \(call.site)"),
            ]
        }
    }

    private var report: [String] {
        launch.report.entries.map { "  \(padded($0.module)) " + told($0, verb: "launched") }
            + launch.absent.map {
                "  \(padded($0.namedBy)) comes after \($0.name), which is not in this build"
            }
    }

    private func told(_ entry: LifecycleReport.Entry, verb: String) -> String {
        switch entry.outcome {
        case .succeeded: style.aside("\(verb) in \(milliseconds(entry.duration))")
        case .failed(let error): style.alarm("failed: \(error)")
        case .timedOut(let limit): style.alarm("still busy after \(limit)")
        case .skipped: style.aside("skipped, for it had not registered")
        }
    }

    private func padded(_ name: String) -> String {
        let width = launch.modules.map(\.name.count).max() ?? 0
        return name.padding(toLength: max(width, name.count), withPad: " ", startingAt: 0)
    }

    private func milliseconds(_ duration: Duration) -> String {
        String(format: "%.2f ms", duration.seconds * 1000)
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
