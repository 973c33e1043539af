#if canImport(SwiftUI)
import ApiCenter
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

/// The ride code in SwiftUI. The actions are those of the page.
struct RideScreen: View {
    let page: RidePage
    let go: Go
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
            if let code { LabeledContent("Your code", value: code) }
            Picker("Gate at", selection: $station) { ForEach(stations, id: \.self) { Text($0) } }
            Button(start == nil ? "Enter the metro" : "Leave the metro") {
                perform(PageTap(start == nil ? "enter" : "leave", fields: ["station": station]))
            }
            Button("Get a new code") { perform(PageTap("refresh")) }
        }
        .navigationTitle(page.title)
        .disabled(isBusy)
        .task { await run { nil } }
    }

    @ViewBuilder private func view(of failure: PageError) -> some View {
        Text(failure.sentence)
        if let row = failure.wayOut, case .address(let address) = row.target {
            Button(row.title) { Task { await run { .open(address.route, address.parameters) } } }
        }
    }

    private func perform(_ tap: PageTap) { Task { await run { try await page.perform(tap) } } }

    /// Does what the passenger wants, and shows the ride as it is then.
    private func run(_ action: @MainActor () async throws -> PageStep?) async {
        guard !isBusy else { return }
        (isBusy, failure) = (true, nil)
        defer { isBusy = false }
        do {
            if let step = try await action() {
                message = step.message
                guard case .stay = step.place else { return try await go(step) }
            }
            try await load()
        } catch {
            failure = page.failure(for: error)
        }
    }

    private func load() async throws {
        let ride = try page.center.requireApi(type: RideApiProtocol.self)
        code = try await ride.code().code
        (start, stations) = (ride.enteredAt, ride.stations)
        if station.isEmpty || station == start { station = stations.first { $0 != start } ?? "" }
    }
}
#endif
