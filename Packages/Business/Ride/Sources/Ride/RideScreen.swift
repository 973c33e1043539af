#if canImport(SwiftUI)
import ApiCenter
import JourneyApi
import Pages
import RideApi
import Screens
import SwiftUI

extension RidePage: Screen {
    func screen(go: @escaping Go) -> some View { RideScreen(page: self, go: go) }
}

/// The screen with the Apis of a center, for previews.
@MainActor package func rideScreen(in center: ApiCenter) -> some View {
    RidePage(center: center).screen { _ in }
}

/// The ride code in SwiftUI. A tap performs an action of ``RidePage``.
struct RideScreen: View {
    let page: RidePage
    let go: Go
    @Environment(\.scenePhase) private var phase
    @State private var code: String?
    /// The station where the current ride began.
    @State private var start: String?
    @State private var stations: [String] = []
    @State private var station = ""
    @State private var message: String?
    @State private var failure: PageError?
    @State private var isBusy = false

    var body: some View {
        List {
            if let message { Text(message) }
            if let failure { view(of: failure) }
            Text(start.map { "You are on a ride from \($0)." } ?? "You are not on a ride.")
            if let code {
                LabeledContent("Your code", value: code)
                Picker("Gate at", selection: $station) { ForEach(stations, id: \.self) { Text($0) } }
                Button(start == nil ? "Enter the metro" : "Leave the metro") {
                    perform(PageTap(start == nil ? "enter" : "leave", fields: ["station": station]))
                }
                Button("Get a new code") { perform(PageTap("refresh")) }
            }
            Button("My journeys") { perform { .open(JourneyRoute.main) } }
        }
        .navigationTitle(page.title)
        .disabled(isBusy)
        // In the background, Ride replaces the code.
        .task(id: phase == .background) { if phase != .background { await load() } }
    }

    @ViewBuilder private func view(of failure: PageError) -> some View {
        Text(failure.sentence)
        if let row = failure.wayOut, case .address(let address) = row.target {
            Button(row.title) { perform { .open(address.route, address.parameters) } }
        }
    }

    private func perform(_ tap: PageTap) { perform { try await page.perform(tap) } }

    /// Does what the passenger wants, and shows the ride as it is then.
    private func perform(_ action: @escaping @MainActor () async throws -> PageStep) {
        guard !isBusy else { return }
        (isBusy, failure) = (true, nil)
        Task {
            defer { isBusy = false }
            do {
                let step = try await action()
                message = step.message
                guard case .stay = step.place else { return try await go(step) }
                await load()
            } catch {
                failure = page.failure(for: error)
            }
        }
    }

    /// Loads the ride. If another screen covers this one meanwhile, the request is cancelled, and the old contents stay.
    private func load() async {
        do {
            let ride = try page.center.requireApi(type: RideApiProtocol.self)
            (start, stations) = (ride.enteredAt, ride.stations)
            if station.isEmpty || station == start { station = stations.first { $0 != start } ?? "" }
            code = try await ride.code().code
            failure = nil
        } catch  where !Task.isCancelled {
            (code, failure) = (nil, page.failure(for: error))
        } catch {}
    }
}
#endif
