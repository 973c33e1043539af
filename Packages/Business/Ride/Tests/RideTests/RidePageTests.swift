import Links
import Pages
import RideApi
import Testing

@testable import Ride

@Suite("The page that shows the ride code")
struct RidePageTests {
    let app: App
    let ride: any RideApiProtocol

    init() async throws {
        app = try await App()
        ride = try app.ride
    }

    @Test("The page says whether the passenger is on a ride, and offers to enter or to leave")
    @MainActor
    func contents() async throws {
        let page = RidePage(center: app.center)
        let (enter, leave) = (
            PageContent.button("Enter the metro", action: "enter"),
            PageContent.button("Leave the metro", action: "leave")
        )
        let outside = try await page.contents()
        #expect(outside.contains(.text("You are not on a ride.")))
        #expect(outside.contains(enter) && !outside.contains(leave))
        _ = try await page.perform(PageTap("enter", fields: ["station": "Museum"]))
        let inside = try await page.contents()
        #expect(inside.contains(.text("You are on a ride from Museum.")))
        #expect(inside.contains(leave) && !inside.contains(enter))
    }

    @Test("The page proposes the first gate, or another one on a ride that began there")
    @MainActor
    func proposedGate() async throws {
        let page = RidePage(center: app.center)
        func proposed() async throws -> [String] {
            try await page.contents().compactMap { if case .field(let gate) = $0 { gate.value } else { nil } }
        }
        #expect(try await proposed() == [ride.stations[0]])
        _ = try await page.perform(PageTap("enter", fields: ["station": ride.stations[0]]))
        #expect(try await proposed() == [ride.stations[1]])
    }

    @Test("Ride's route returns its page and may be called from outside the app")
    func route() async throws {
        let main = try #require(RideModule().links(in: app.center).first(.route(RideRoute.main)))
        #expect(main.callers == .outside)
        let page = try #require(try await main.call() as? any Page)
        #expect(await page.title == "Ride")
    }

    @Test(
        "A tap on an older view of Ride's page does not enter instead of leaving, nor leave instead of entering"
    )
    @MainActor
    func olderView() async throws {
        let page = RidePage(center: app.center), fields = ["station": "Museum"]
        let outside = await #expect(throws: PageError.self) {
            try await page.perform(PageTap("leave", fields: fields))
        }
        #expect(outside?.sentence == "You are not on a ride.")
        _ = try await page.perform(PageTap("enter", fields: fields))
        let inside = await #expect(throws: PageError.self) {
            try await page.perform(PageTap("enter", fields: fields))
        }
        #expect(inside?.sentence == "You are already on a ride from Museum.")
        #expect(ride.enteredAt == "Museum" && app.gate.openings == 1)
    }
}
