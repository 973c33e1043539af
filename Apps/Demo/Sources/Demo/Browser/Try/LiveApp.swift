import Links
import Pages

/// The app in the browser, which can be launched again with other modules.
@MainActor
final class LiveApp {
    private(set) var app: DemoApp
    /// The modules that the last launch left out.
    private(set) var leftOut: Set<String> = []
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

    /// The modules that can be taken out, and put back.
    var modules: [String] {
        app.names.filter { name in leftOut.contains(name) || app.app.modules.contains { $0.name == name } }
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
        let wanted = leftOut.symmetricDifference([module])
        do {
            app = try await launch(wanted)
        } catch {
            throw PageError("The app could not be launched without \(module).", reason: "\(error)")
        }
        leftOut = wanted
        observer = DiaryObserver(app)
        didLaunch()
        return !wanted.contains(module)
    }

    /// Returns the page of an address: the page to try things, or a module's page.
    func page(at address: PageAddress, _ origin: Link.Callers) async throws -> any Page {
        if address.route == TryPage.route { return TryPage(live: self) }
        return try await app.page(at: address, origin)
    }
}
