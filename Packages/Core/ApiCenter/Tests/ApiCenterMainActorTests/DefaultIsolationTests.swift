import ApiCenter
import Testing

// This target isolates its code to the main actor by default, as app targets do.

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

@Suite("A target isolated to the main actor by default")
struct DefaultIsolationTests {
    let center = ApiCenter()

    @Test("A target isolated to the main actor by default registers and calls its own Apis")
    func own() throws {
        center.registerApi(type: ScreenApiProtocol.self, impBuilder: once(onMain { Screen() }))
        #expect(center.api(type: ScreenApiProtocol.self)?.title == "home")
        let screen: any ScreenApiProtocol = try center.requireApi(type: ScreenApiProtocol.self)
        #expect(screen.title == "home")
    }

    @Test("A target isolated to the main actor by default registers and calls nonisolated Apis")
    func nonisolatedApi() {
        center.registerApi(type: PriceApiProtocol.self) { Price() }
        #expect(center.api(type: PriceApiProtocol.self)?.price() == 3)
    }

    @Test("A target isolated to the main actor by default overrides Apis in a scope")
    func scope() async {
        var seen: [String] = []
        center.withOverrides {
            $0.register(ScreenApiProtocol.self, scope: .main) { Screen() }
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
