import Links
import Pages
import Routes

@testable import Screens

/// The stack of a new window. Each window has its own.
@MainActor func window(on routes: Routes, opening table: LinkTable) -> ScreenStack {
    ScreenStack(
        first: PageAddress("home_vc"),
        ask: { try await routes.routeURL($0.route, parameters: $0.parameters, as: (any Page).self) },
        open: { url in
            let call = Result { try table.find(url) }
            return { try await call.get()() }
        })
}
