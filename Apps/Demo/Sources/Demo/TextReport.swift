import Foundation

/// A launch as text for an 80-column terminal.
struct TextReport: CustomStringConvertible {
    /// The formatting of headings, secondary text and alarms.
    struct Style {
        let heading, aside, alarm: @Sendable (String) -> String

        static let plain = Style(heading: { $0 }, aside: { $0 }, alarm: { $0 })

        private static let terminal = Style(
            heading: { "\u{1B}[1m\($0)\u{1B}[0m" },
            aside: { "\u{1B}[2m\($0)\u{1B}[0m" },
            alarm: { "\u{1B}[31m\($0)\u{1B}[0m" })

        /// Colours if standard output is a terminal that supports them, unless NO_COLOR is set.
        static var forStandardOutput: Style {
            let environment = ProcessInfo.processInfo.environment
            let wantsColour = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
            return wantsColour && isatty(STDOUT_FILENO) == 1 ? terminal : plain
        }
    }

    private let launch: Overview
    private let style: Style

    init(_ launch: Overview, style: Style) {
        self.launch = launch
        self.style = style
    }

    var description: String {
        let sections = [("Modules", modules), ("The day", day)]
            .filter { !$0.1.isEmpty }
            .map { [style.heading($0)] + $1 }
        return ([data] + sections).map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private var modules: [String] {
        launch.modules.map { module in
            guard let version = module.version else {
                return style.aside("  \(padded(module.name)) left out of this build")
            }
            // A registration takes no time worth a column, so only a failed one is shown.
            let registration = module.registration.flatMap { $0.error == nil ? nil : $0 }
            let phases = [
                (registration, "registered"), (module.preparation, "prepared"),
                (launch.launch.first { $0.module == module.name }, "launched"),
            ]
            let parts = phases.compactMap { part, verb in part.flatMap { told($0, verb: verb) } }
            return "  \(padded(module.name)) \(version)  " + parts.joined(separator: ", ")
        }
            + launch.absent.sorted { $0.key < $1.key }.map { name, absent in
                "  \(padded(name)) should start after \(absent.joined(separator: ", ")), which is not in this build"
            }
            + launch.silent.map { "  \(padded($0)) calls no other module through an Api in this run" }
    }

    /// The data folder, the server and the files that were set aside.
    private var data: [String] {
        let folder = launch.day.data
        let hint = style.aside(
            "        The next run continues with this data. Use --data for another folder.")
        return ["Data    \(folder ?? "in memory only")"] + (folder == nil ? [] : [hint])
            + ["Server  \(launch.day.server)"]
            + launch.day.setAside.map { style.alarm("Set aside because it cannot be read: \($0)") }
    }

    private var day: [String] { DayReport(launch.day.steps, style: style).lines }

    /// Describes a module's outcome in one phase; nil for a module that was skipped because of an earlier failure,
    /// which is shown instead.
    private func told(_ part: Overview.Part, verb: String) -> String? {
        if let error = part.error { return style.alarm("not \(verb): \(error)") }
        return part.outcome == "succeeded" ? style.aside("\(verb) in \(part.seconds.asDuration)") : nil
    }

    private func padded(_ name: String) -> String {
        let width = launch.modules.map(\.name.count).max() ?? 0
        return name.padding(toLength: max(width, name.count), withPad: " ", startingAt: 0)
    }
}
