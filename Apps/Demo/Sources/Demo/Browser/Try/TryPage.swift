import Lifecycle
import Pages

/// The page on which a reader changes the app, to see what the modules do: it takes modules out, takes the gate offline, sends
/// events, and opens links from outside.
struct TryPage: Page {
    nonisolated static let route = "try"

    let live: LiveApp
    let title = "Try it"

    private static let events: [(name: String, event: LifecycleEvent)] = [
        ("background", .background), ("active", .active), ("memory warning", .memoryWarning),
    ]

    private var gate: GateSwitch { live.app.day.gateSwitch }

    func contents() -> [PageContent] {
        let modules: [PageContent] =
            live.canRelaunch
            ? [
                .text(
                    "Tap a module to take it out, or to put it back. The app is launched again, and its data stays."
                ),
                .rows(
                    live.modules.map { name in
                        let isIn = !live.leftOut.contains(name)
                        return PageRow(
                            name, detail: isIn ? "in the app" : "taken out", isSelected: isIn,
                            .action("module", row: name))
                    }),
            ] : []
        let isOffline = gate.isOffline
        return [.text("Change the app here, and see in the panel what its modules do.")] + modules + [
            .text(isOffline ? "The gate is offline: each call fails." : "The gate is online."),
            .button(isOffline ? "Put the gate online" : "Take the gate offline", action: "gate"),
            .field(PageField("event", label: "Event of the system", .choice(Self.events.map(\.name)))),
            .button("Send the event", action: "event"),
            .field(PageField("link", label: "Link from outside", value: "metro://ride/stations")),
            .button("Open the link", action: "link"),
            .text("Another payment module, of which no caller knows:"),
            .text("swift run --traits \(Self.cashlessTraits(of: live.app.names)) Shell app"),
            .text("A gate on another machine, which the sample day calls (in two terminals):"),
            .text("swift run --package-path Apps/Host Host serve Gate --listen 127.0.0.1:7443"),
            .text("swift run --package-path Apps/Host Host day --remote Gate=127.0.0.1:7443"),
        ]
    }

    func perform(_ tap: PageTap) async throws -> PageStep {
        switch tap.action {
        case "module":
            let name = tap.row ?? ""
            return .stay(
                saying: try await live.toggle(name)
                    ? "\(name) is in the app again." : "The app runs without \(name) now.")
        case "gate":
            gate.isOffline.toggle()
            return .stay(saying: gate.isOffline ? "The gate is offline now." : "The gate is online now.")
        case "event":
            let name = try tap.choice("event", of: Self.events.map(\.name))
            guard let event = Self.events.first(where: { $0.name == name })?.event else {
                throw tap.unknownAction
            }
            let failures = await live.app.send(event)
            guard failures.isEmpty else { throw PageError(failures.joined(separator: " ")) }
            return .stay(saying: "The modules have handled the event “\(name)”.")
        case "link": return try await open(try tap.text("link"))
        default: throw tap.unknownAction
        }
    }

    /// Opens a link as another app would, and shows its page or its value.
    private func open(_ url: String) async throws -> PageStep {
        let value: (any Sendable)?
        do { value = try await live.app.app.open(url).value } catch {
            throw PageError("The link was refused: \(error)", field: "link")
        }
        switch value {
        case let page as any Page: return .show(page)
        case let lines as [String]: return .stay(saying: lines.joined(separator: ", "))
        case let value?: return .stay(saying: "\(value)")
        case nil: return .stay(saying: "The link was opened, and has no value.")
        }
    }

    /// The traits of a build in which PayTypeCashless replaces PayType.
    private static func cashlessTraits(of names: [String]) -> String {
        names.filter { $0 != "PayType" }.joined(separator: ",")
    }
}
