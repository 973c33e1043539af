import Lifecycle
import Links
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
        let isOffline = gate.isOffline
        return modules + [
            .text(
                isOffline
                    ? "The gate is offline: it is in the app, and each call of it fails."
                    : "A module can also fail while it is in the app."),
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

    /// The modules that are taken out, with what is lost without them, and those that can be taken out.
    private var modules: [PageContent] {
        guard live.canRelaunch else { return [] }
        let (out, present) = (
            live.modules.filter { live.leftOut[$0] != nil }, live.modules.filter { live.leftOut[$0] == nil }
        )
        let rows = out.flatMap { name in
            let detail = [ModuleRole.all[name].map { "Without it, \($0.loss)." }, noticed(name)]
            return [
                PageRow(
                    name, detail: detail.compactMap(\.self).joined(separator: " "),
                    .action("module", row: name))
            ] + (ModuleRole.all[name].map { [$0.page] } ?? [])
        }
        return (out.isEmpty ? [] : [.text("Taken out. Tap a module to put it back:"), .rows(rows)]) + [
            .text(
                "The app consists of these modules. Tap one to take it out: the app is launched again, its data stays, "
                    + "and you can see what the others do without it."),
            .rows(
                present.map { name in
                    let role = ModuleRole.all[name].map { "\($0.does) Without it, \($0.loss)." }
                    return PageRow(
                        name, detail: role ?? "in the app", isSelected: true, .action("module", row: name))
                }),
        ]
    }

    /// Says who has called a module in vain since it was taken out.
    private func noticed(_ module: String) -> String {
        guard let absence = live.absence(of: module) else { return "Nobody has asked for it since." }
        let callers = absence.callers.map {
            "\(PanelColumns.title(of: $0.name)) (\($0.count.counted("time")))"
        }
        return "Asked for it in vain: \(callers.joined(separator: ", "))."
    }

    func perform(_ tap: PageTap) async throws -> PageStep {
        switch tap.action {
        case "module":
            let name = tap.row ?? ""
            if try await live.toggle(name) { return .stay(saying: "\(name) is in the app again.") }
            let loss = ModuleRole.all[name].map { ": \($0.loss)" } ?? ""
            return .stay(saying: "The app runs without \(name) now\(loss).")
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
            throw PageError("The link was refused: \(Self.reason(of: error))", field: "link")
        }
        switch value {
        case let page as any Page: return .show(page)
        case let lines as [String]: return .stay(saying: lines.joined(separator: ", "))
        case let value?: return .stay(saying: "\(value)")
        case nil: return .stay(saying: "The link was opened, and has no value.")
        }
    }

    /// Says why a link was refused. The link itself is not repeated, because the record would contain its secrets.
    private static func reason(of error: any Error) -> String {
        guard let error = error as? LinkError else { return message(for: error) }
        return switch error.reason {
        case .badURL: "it is not a valid link."
        case .absentModule(let module): "\(module) is not in this app."
        case .localOnly: "only calls from inside the app may open it."
        case .badParameter(let parameter): "its parameter “\(parameter.key)” is wrong."
        case .handlerFailed: error.underlying.map(message(for:)) ?? "its module cannot answer it."
        default: "no module answers it."
        }
    }

    /// The traits of a build in which PayTypeCashless replaces PayType.
    private static func cashlessTraits(of names: [String]) -> String {
        names.filter { $0 != "PayType" && !ModuleRole.examples.contains($0) }.joined(separator: ",")
    }
}
