import Pages

/// Shows the ride code, and holds it up to a gate.
struct RidePage: Page {
    let ride: any RideApiProtocol
    let title = "Ride"

    func contents() async throws -> [PageContent] {
        let code = try await ride.code()
        return [
            .code(code, caption: "Your code"),
            .field(PageField("station", label: "Station", .choice(ride.stations))),
            .button("Hold the code up to the gate", action: "pass"),
            .rows([PageRow("My journeys", opens: "journey_vc")]),
        ]
    }

    func perform(_ tap: PageTap) async throws -> PageStep {
        guard tap.action == "pass" else { throw tap.unknownAction }
        let station = try tap.choice("station", of: ride.stations)
        try await ride.passGate(at: station)
        return .stay(saying: "The gate at \(station) opens.")
    }

    func failure(for error: any Error) -> PageError {
        switch error as? RideApiError {
        case .notLoggedIn: PageError("Please log in.", wayOut: PageRow("Log in", opens: "user_vc"))
        case .gateClosed(let why): PageError("The gate stays closed.", reason: why)
        case nil: .from(error)
        }
    }
}
