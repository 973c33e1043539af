import Links
import Pages

/// The app in the browser, which can be launched again with other modules.
@MainActor
final class LiveApp {
    private(set) var app: DemoApp
    /// The modules that the last launch left out, each with the number of the tap that took it out.
    private(set) var leftOut: [String: Int] = [:]
    /// Whether the app can be launched again.
    var canRelaunch: Bool { launch != nil }
    private let launch: DemoApp.Relaunch?
    private var observer: DiaryObserver
    private var isLaunching = false
    /// Runs after a launch. Pages of the earlier app must not be used any more.
    var didLaunch: @MainActor () -> Void = {}

    init(_ app: DemoApp, launch: DemoApp.Relaunch?) {
        (self.app, self.launch) = (app, launch)
        observer = DiaryObserver(app)
    }

    /// The modules that can be taken out, and put back, in the order of the panel's columns.
    var modules: [String] {
        app.names.filter { name in
            let isInBuild = leftOut[name] != nil || app.app.modules.contains { $0.name == name }
            return isInBuild && !ModuleRole.examples.contains(name)
        }.sorted(by: PanelColumns.areInOrder)
    }

    /// Those that have called a module in vain since it was taken out; nil if nobody has.
    func absence(of module: String) -> Absence? {
        guard let tap = leftOut[module] else { return nil }
        return app.diary.groups.filter { $0.number >= tap }.flatMap(\.calls).absences.first {
            $0.module == module
        }
    }

    /// Takes a module out, or puts it back, and launches the app with the others.
    ///
    /// - Returns: Whether the module is in the app now.
    /// - Throws: `PageError` if the module is unknown, while the app is being launched, and if the launch fails.
    func toggle(_ module: String) async throws -> Bool {
        guard let launch, modules.contains(module) else {
            throw PageError("This module cannot be taken out.")
        }
        guard !isLaunching else {
            throw PageError("The app is being launched. Please try again in a moment.")
        }
        isLaunching = true
        defer { isLaunching = false }
        var wanted = leftOut
        let isOut = wanted.removeValue(forKey: module) == nil
        if isOut { wanted[module] = Diary.scope?.group ?? 0 }
        do {
            app = try await launch(Set(wanted.keys))
        } catch {
            throw PageError("The app could not be launched without \(module).", reason: "\(error)")
        }
        leftOut = wanted
        observer = DiaryObserver(app)
        didLaunch()
        return !isOut
    }

    /// Returns the page of an address: the page to try things, or a module's page.
    func page(at address: PageAddress, _ origin: Link.Callers) async throws -> any Page {
        if address.route == TryPage.route { return TryPage(live: self) }
        return try await app.page(at: address, origin)
    }
}
