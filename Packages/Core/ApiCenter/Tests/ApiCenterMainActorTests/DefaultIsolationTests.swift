import ApiCenter
import Testing

// This target's code is on the main actor unless it says otherwise, as an app's is by default.

protocol ScreenApiProtocol: Sendable {
    var title: String { get }
}

final class Screen: ScreenApiProtocol {
    var title = "home"
}

nonisolated protocol PriceApiProtocol: Sendable {
    func price() -> Int
}

nonisolated struct Price: PriceApiProtocol {
    func price() -> Int { 3 }
}

@Suite("A target with default MainActor isolation")
struct DefaultIsolationTests {
    let center = ApiCenter()

    @Test("registers and calls its own Apis")
    func own() throws {
        center.registerApi(type: ScreenApiProtocol.self, impBuilder: once(onMain { Screen() }))
        #expect(center.api(type: ScreenApiProtocol.self)?.title == "home")
        let screen: any ScreenApiProtocol = try center.requireApi(type: ScreenApiProtocol.self)
        #expect(screen.title == "home")
    }

    @Test("registers and calls Apis of no actor")
    func nonisolatedApi() {
        center.registerApi(type: PriceApiProtocol.self) { Price() }
        #expect(center.api(type: PriceApiProtocol.self)?.price() == 3)
    }

    @Test("overrides in a scope, and observes")
    func scope() async {
        var seen: [String] = []
        center.withOverrides {
            $0.registerApi(type: ScreenApiProtocol.self, impBuilder: onMain { Screen() })
        } operation: {
            seen.append(center.api(type: ScreenApiProtocol.self)?.title ?? "none")
        }
        await center.withOverrides {
            $0.removeApi(api: ScreenApiProtocol.self)
        } operation: {
            await Task.yield()
            seen.append(center.api(type: ScreenApiProtocol.self)?.title ?? "none")
        }
        #expect(seen == ["home", "none"])
    }
}
