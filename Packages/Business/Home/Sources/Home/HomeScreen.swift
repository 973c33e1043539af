#if canImport(SwiftUI)
import ApiCenter
import HomeApi
import Pages
import RideApi
import Screens
import SwiftUI
import UserApi

extension HomePage: Screen {
    func screen(go: @escaping Go) -> some View { HomeScreen(page: self, go: go) }
}

/// The screen with the Apis of a center, for previews.
@MainActor package func homeScreen(in center: ApiCenter) -> some View {
    HomePage(center: center).screen { _ in }
}

/// The first page in SwiftUI. It opens the pages and screens of other modules by their
/// routes alone.
struct HomeScreen: View {
    let page: HomePage
    let go: Go
    @State private var contents: HomeContents?
    @State private var failure: String?

    var body: some View {
        List {
            if let failure { Text(failure) }
            if let contents {
                Text(contents.greeting)
                banner(contents.banner)
                Button("Ride") { open(RideRoute.main) }
                Button(contents.accountTitle) { open(UserRoute.main) }
                ForEach(contents.menu, id: \.self) { item in Button(item.title) { open(item.route) } }
            } else {
                ProgressView()
            }
        }
        .navigationTitle(page.title)
        .task {
            // If another screen covers this one meanwhile, the request is cancelled, and the old contents stay.
            let new = await HomeContents(from: page.center)
            if !Task.isCancelled { contents = new }
        }
    }

    @ViewBuilder private func banner(_ banner: Result<HomeBanner, any Error>) -> some View {
        switch banner {
        case .success(let banner):
            Button(banner.title) {
                run { try await go(page.perform(PageTap("banner"))) }
            }
        case .failure(let error):
            LabeledContent("There is no news today.", value: page.failure(for: error).sentence)
        }
    }

    private func open(_ route: String) { run { try await go(.open(route)) } }

    private func run(_ work: @escaping @MainActor () async throws -> Void) {
        failure = nil
        Task {
            do { try await work() } catch { failure = page.failure(for: error).sentence }
        }
    }
}
#endif
