import ApiCenter
import JourneyApi
import LoggerApi
import ModuleAApi
import ModuleBApi
import ModuleCApi
import Pages
import RideApi
import SDKManagerApi
import ServiceOpenApi
import UserApi

/// A passenger's day with the app.
///
/// The day stands in for the app's pages: every step calls an Api or a route, or posts a notification. If a
/// step's module is not in the app, the step reports the absence and the day continues.
struct Day: Sendable {
    let app: DemoApp
    /// Whether nobody is logged in when the day begins.
    let isFirst: Bool
    /// The number of the passenger's earlier journeys.
    let rides: Int

    /// The modules that failed to register or to prepare.
    private let failed: Set<String>

    var center: ApiCenter { app.center }

    init(_ app: DemoApp) async {
        self.app = app
        let reports = [app.host.registration, await app.host.prepare()]
        failed = Set(reports.flatMap(\.failures).map(\.module))
        isFirst = app.center.api(type: UserApiProtocol.self)?.session == nil
        rides = (try? app.center.api(type: JourneyApiProtocol.self)?.journeys(limit: .max).count) ?? 0
    }

    /// Plays the day and records it in the app's diary.
    func play() async {
        let diary = app.diary
        diary.observe(center)
        diary.observe(app.notifications)
        diary.observe(app.routes, app.mediator)
        await diary.step("The modules call each other", callEachOther)
        await diary.step("Start the app", setUp)
        await diary.step("Log in", logIn)
        await diary.step("Open the service", openService)
        await diary.step("Pick a payment method", pickPaymentMethod)
        await diary.step("Enter the metro", enter)
        await diary.step("Refresh the code", refreshCode)
        await diary.step("Switch to another app and back", switchApps)
        await diary.step("Open a link", openLink)
        await diary.step("Log out and in again", logOutAndIn)
        await diary.step("Leave the metro", leave)
        await diary.step("Look at the journeys", listJourneys)
        await diary.step("Tap the banner", tapBanner)
        await diary.step("Tap \"more\"", tapMore)
        await diary.step("The same page in three ways", threeWays)
        await diary.step("Read the log", readLog)
    }

    // MARK: The modules

    /// Shows the answers that ModuleA, ModuleB and ModuleC get from each other. These three call no other modules.
    private func callEachOther() {
        tell(center.api(type: ModuleAApiProtocol.self)?.askOthers(), to: "ModuleA")
        tell(center.api(type: ModuleBApiProtocol.self)?.askOthers(), to: "ModuleB")
        tell(center.api(type: ModuleCApiProtocol.self)?.askOthers(), to: "ModuleC")
    }

    private func tell(_ answers: [String?]?, to module: String) {
        guard let answers else { return absent(module) }
        let texts = answers.map { answer in answer.map { "\"\($0)\"" } ?? "no answer" }
        tell("\(module) hears: \(texts.joined(separator: ", "))")
    }

    // MARK: Starting and logging in

    private func setUp() async {
        do { try app.day.server.keepWallets(in: app.storage) } catch { refuse("\(error)") }
        guard let sdk = center.api(type: SDKManagerApiProtocol.self) else { return absent("SDKManager") }
        do throws(SDKManagerApiError) {
            try sdk.initialise(app.configuration) {
                start in
                switch start {
                case .loggedIn(let name): tell("Welcome back, \(name)")
                case .loggedOut: tell("Nobody is logged in")
                }
            }
            await showFirstPage()
        } catch {
            refuse(error.message)
        }
    }

    /// Shows the first page after the SDK is initialised. SDKManager cannot do this, because it is in a
    /// layer below the pages.
    private func showFirstPage() async {
        let isOpen = center.api(type: ServiceOpenApiProtocol.self)?.isOpen ?? true
        await show(isOpen ? RideRoute.main : ServiceOpenRoute.main)
    }

    private func logIn() async {
        guard let user = center.api(type: UserApiProtocol.self) else { return absent("User") }
        if let session = user.session { return tell("Still logged in as \(session.name)") }
        await logIn(user, passwords: ["corect horse", OperatorServer.passenger.password])
    }

    /// Tries the passwords in order until one is accepted.
    private func logIn(_ user: any UserApiProtocol, passwords: [String]) async {
        for password in passwords {
            do {
                let session = try await user.logIn(phone: OperatorServer.passenger.phone, password: password)
                return tell("Logged in as \(session.name)")
            } catch {
                refuse(error.message)
            }
        }
    }

    /// Shows that a ride code expires when the passenger logs out.
    private func logOutAndIn() async {
        guard let user = center.api(type: UserApiProtocol.self) else { return absent("User") }
        guard user.session != nil else { return tell("Nobody is logged in") }
        let code = try? await center.api(type: RideApiProtocol.self)?.code().code
        do {
            try await user.logOut()
        } catch {
            return refuse(error.message)
        }
        tell("Logged out")
        await logIn(user, passwords: [OperatorServer.passenger.password])
        if let code { await showAtGate(code, "The code from before the logout") }
    }

    private func openService() async {
        guard let service = center.api(type: ServiceOpenApiProtocol.self) else {
            return absent("ServiceOpen")
        }
        if service.isOpen { return tell("The service is already open") }
        do {
            do {
                try await service.open()
            } catch .termsNotAgreed {
                refuse(ServiceOpenApiError.termsNotAgreed.message)
                await tapTerms()
                try await service.agreeToTerms()
                try await service.open()
            }
            tell("Agreed to the terms and opened the service")
        } catch {
            refuse(error.message)
        }
    }

    /// Taps the row with the terms on ServiceOpen's page, which shows a page of WebContainer.
    private func tapTerms() async {
        await show(named: "The terms") {
            let page = try await app.page(at: PageAddress(ServiceOpenRoute.main))
            do {
                guard case .page(let terms) = try await page.perform(PageTap("terms")).place else {
                    return page
                }
                return terms
            } catch {
                throw await page.failure(for: error)
            }
        }
    }

    private func readLog() {
        guard let log = center.api(type: LoggerApiProtocol.self) else { return absent("Logger") }
        for line in log.recent(limit: 3) { tell(line) }
    }

    // MARK: Helpers of the steps

    func tell(_ text: String) { app.diary.note(.told(text)) }

    func refuse(_ text: String) { app.diary.note(.refused(text)) }

    /// Reports why a module's part of the day is skipped.
    func absent(_ module: String) {
        let why = failed.contains(module) ? "could not start and is skipped" : "is not in this app"
        tell("\(module) \(why)")
    }

    /// Opens the page of a route, and reports its title.
    func show(_ route: String) async {
        await show(named: nil) { try await app.page(at: PageAddress(route)) }
    }

    /// Reports the title of the page that `find` returns, after the name of the way to it.
    func show(named name: String?, _ find: () async throws -> any Page) async {
        let way = name.map { "\($0): " } ?? ""
        do {
            let page = try await find()
            tell("\(way)\(way.isEmpty ? "S" : "s")hows \"\(await page.title)\"")
        } catch let error as PageError {
            refuse(way + error.sentence)
        } catch {
            refuse(way + message(for: error))
        }
    }
}
