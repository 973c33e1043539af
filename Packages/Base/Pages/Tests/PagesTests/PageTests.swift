import Pages
import Testing

@Suite("A page")
@MainActor
struct PageTests {
    private let page: any Page = RidePage(ride: Ride())

    @Test("A page loads its contents from an Api")
    func contents() async throws {
        #expect(page.title == "Ride")
        #expect(
            try await page.contents() == [
                .code("C-1", caption: "Your code"),
                .field(PageField("station", label: "Station", .choice(["North Gate", "Museum"]))),
                .button("Hold the code up to the gate", action: "pass"),
                .rows([PageRow("My journeys", opens: "journey_vc")]),
            ])
    }

    @Test("An action says what to show next, with a message")
    func step() async throws {
        let step = try await page.perform(PageTap("pass", fields: ["station": "Museum"]))
        #expect(step.message == "The gate at Museum opens.")
        guard case .stay = step.place else { return #expect(Bool(false), "\(step)") }
    }

    @Test("An action that the page does not have is refused", arguments: ["", "pay"])
    func unknownAction(_ action: String) async throws {
        let error = try await #require(throws: PageError.self) { _ = try await page.perform(PageTap(action)) }
        #expect(page.failure(for: error).description.contains("no action '\(action)'"))
    }

    @Test("A page without actions refuses every tap")
    func noActions() async throws {
        struct Terms: Page {
            let title = "Terms"
            func contents() -> [PageContent] { [.text("Be kind.")] }
        }
        await #expect(throws: PageError.self) { try await Terms().perform(PageTap("agree")) }
    }

    @Test("A page that stays open during a log-out says how to log in")
    func logOut() async throws {
        let ride = Ride()
        let page = RidePage(ride: ride)
        _ = try await page.contents()
        ride.logOut()
        let error = try await #require(throws: (any Error).self) { _ = try await page.contents() }
        let failure = page.failure(for: error)
        #expect(failure.sentence == "Please log in.")
        #expect(failure.wayOut?.target == .address(PageAddress("user_vc")))
    }

    @Test("The person reads a sentence, and the log reads the reason")
    func reason() async throws {
        let page = RidePage(ride: Ride(failure: .gateClosed("transient failure")))
        let error = try await #require(throws: (any Error).self) {
            _ = try await page.perform(PageTap("pass", fields: ["station": "Museum"]))
        }
        let failure = page.failure(for: error)
        #expect(failure.sentence == "The gate stays closed.")
        #expect(failure.description == "The gate stays closed. (transient failure)")
    }

    @Test("An error that a page does not know becomes a general sentence")
    func unexpected() {
        struct Torn: Error {}
        let failure = page.failure(for: Torn())
        #expect(failure.sentence == "This did not work. Please try again.")
        #expect(failure.reason == "Torn()")
    }

    @Test("A step can open an address, show another module's page, or go back")
    func places() {
        let open = PageStep.open("web_vc", ["url": "metro.example"], saying: "Read this.")
        guard case .address(PageAddress("web_vc", ["url": "metro.example"])) = open.place else {
            return #expect(Bool(false), "\(open)")
        }
        #expect(open.message == "Read this.")
        guard case .page(let shown) = PageStep.show(page).place else { return #expect(Bool(false)) }
        #expect(shown.title == "Ride")
        guard case .back = PageStep.back().place else { return #expect(Bool(false)) }
    }
}
