// The example in the app's README. Scripts/apple compiles it for iOS.

#if canImport(SwiftUI) && canImport(UIKit) && README_EXAMPLE
import APITransport
import ApiCenter
import AppModules
import Foundation
import HomeApi
import Launch
import Lifecycle
import Pages
import Routes
import SDKManagerApi
import Storage
import SwiftUI
import UIKit
import UserApi

@main
struct MetroApp: App {
    @Environment(\.scenePhase) private var phase
    @State private var failures: [String] = []
    /// The first page, which a link may precede.
    @State private var home: (any Page)?
    /// The other pages that were shown so far, and the positions of those on the navigation stack.
    @State private var pages: [(page: any Page, message: String?)] = []
    @State private var path: [Int] = []
    /// The logged-in passenger, to whom the pages belong.
    @State private var passenger: String?
    private let app: ModularApp?
    private let routes: Routes?

    var body: some Scene {
        WindowGroup {
            Text(failures.joined(separator: "\n"))
            NavigationStack(path: $path) {
                firstPage.id(passenger).navigationDestination(for: Int.self) { page(at: $0) }
            }
            .task {
                await show(start)
                await followSessions()
            }
            .onOpenURL { url in open(url) }
        }
        .onChange(of: phase) { _, phase in
            if let event = LifecycleEvent(phase) { post(event) }
        }
    }

    @ViewBuilder private var firstPage: some View {
        if let home { PageView(home, go: go) } else { ProgressView() }
    }

    @ViewBuilder private func page(at index: Int) -> some View {
        if pages.indices.contains(index) {
            PageView(pages[index].page, message: pages[index].message, go: go)
        }
    }

    /// Registers the modules. Events and links may arrive before they have prepared.
    init() {
        do {
            let services = AppServices(
                storage: try Storage(folder: .applicationSupportDirectory.appending(path: "Metro")),
                client: URLSessionAPIClient(), cacheFolder: .cachesDirectory.appending(path: "Metro"))
            app = try ModularApp(on: services) { center in
                guard let server = URL(string: "https://metro.example") else { return }
                try center.api(type: SDKManagerApiProtocol.self)?
                    .initialise(SDKConfiguration(appID: "example.metro", baseURL: server)) { _ in }
            }
            routes = services.routes
        } catch {
            (app, routes) = (nil, nil)
            _failures = State(initialValue: ["\(error)"])
        }
    }

    /// Launches the app, and shows the first page.
    private func start() async throws {
        guard let app, let routes else { return }
        failures += await app.launch().failureLines
        home = try await routes.routeURL(HomeRoute.main, as: (any Page).self)
    }

    /// Loads the first page anew when a passenger logs in or out, and leaves the pages of a former passenger.
    private func followSessions() async {
        guard let user = app?.center.api(type: UserApiProtocol.self) else { return }
        for await session in user.sessions() {
            if passenger != nil { path = [] }
            passenger = session?.id
        }
    }

    /// Opens a link that iOS handed to the app.
    private func open(_ url: URL) {
        guard let link = app?.open(url) else { return }
        Task {
            await show { if let page = try await link.value as? any Page { push(page) } }
            failures += await link.delivery.report.failureLines
        }
    }

    /// Goes on after an action of a page.
    private func go(_ step: PageStep) async throws {
        switch step.place {
        case .address(let address):
            guard let routes else { return }
            push(
                try await routes.routeURL(
                    address.route, parameters: address.parameters, as: (any Page).self), step.message)
        case .page(let page): push(page, step.message)
        case .back: _ = path.popLast()
        case .stay: break
        }
    }

    private func push(_ page: any Page, _ message: String? = nil) {
        path.append(pages.count)
        pages.append((page, message))
    }

    /// Posts an event to the modules, and asks iOS not to suspend the app before they have handled it.
    private func post(_ event: LifecycleEvent) {
        guard let delivery = app?.post(event) else { return }
        var awake = UIBackgroundTaskIdentifier.invalid
        awake = UIApplication.shared.beginBackgroundTask {
            delivery.cancel()
            UIApplication.shared.endBackgroundTask(awake)
        }
        Task {
            failures += await delivery.report.failureLines
            UIApplication.shared.endBackgroundTask(awake)
        }
    }

    /// Shows the error that `work` throws.
    private func show(_ work: () async throws -> Void) async {
        do { try await work() } catch { failures.append("\(error)") }
    }
}
#endif
