import ApiCenter
import Testing

@Suite("Registrations with a scope")
struct RegisterTests {
    @MainActor protocol Screen: Sendable {
        var title: String { get }
    }

    @MainActor final class HomeScreen: Screen {
        let title: String
        init(title: String = "home") { self.title = title }
    }

    let center = ApiCenter()

    /// Registers `Int` with a builder that returns the number of its calls so far: 1, 2, 3...
    private func countBuilds(scope: ApiScope<Int>) {
        let built = Shared(0)
        center.register(Int.self, scope: scope) {
            built.update { $0 += 1 }
            return built.value
        }
    }

    @Test("Without a scope, and with the scope `each`, every call gets a new IMP")
    func each() {
        countBuilds(scope: .each)
        #expect((0..<3).map { _ in center.api(type: Int.self) } == [1, 2, 3])
        center.register(Numbering.self) { Number(number: 7) }
        #expect(center.api(type: Numbering.self)?.number == 7)
        // An Api that is not Sendable, as in seed 1.
        center.register(Animal.self) { Cat(name: "Mimi") }
        #expect(center.api(type: Animal.self)?.name == "Mimi")
    }

    @Test("With the scope `once`, every call gets the IMP of the first call")
    func once() {
        countBuilds(scope: .once)
        #expect((0..<3).map { _ in center.api(type: Int.self) } == [1, 1, 1])
    }

    @Test("With the scope `weak`, calls get the same object until its last holder releases it")
    func weak() {
        let freed = Shared(0)
        center.register(Token.self, scope: .weak) { Token { freed.update { $0 += 1 } } }
        do {
            let first = center.api(type: Token.self), second = center.api(type: Token.self)
            #expect(first === second)
            #expect(freed.value == 0)
            withExtendedLifetime((first, second)) {}
        }
        #expect(freed.value == 1)
    }

    @Test("A replacement or an override with the scope `once` builds its own value on the first call")
    func replacedAndOverridden() {
        let built = Shared(0)
        let count: @Sendable () -> Int = {
            built.update { $0 += 1 }
            return built.value
        }
        countBuilds(scope: .each)
        center.replaceApi(type: Int.self, scope: .once, impBuilder: count)
        #expect((0..<3).map { _ in center.api(type: Int.self) } == [1, 1, 1])
        for expected in [2, 3] {
            center.withOverrides {
                $0.register(Int.self, scope: .once, impBuilder: count)
            } operation: {
                #expect((0..<3).map { _ in center.api(type: Int.self) } == [expected, expected, expected])
            }
        }
        #expect(center.api(type: Int.self) == 1)
    }

    @Test("A builder receives the center that calls it, in every scope")
    func receivesTheCenter() {
        center.register(String.self, scope: .once) { _ in "from the center" }
        center.register([String].self) { [$0.api(type: String.self) ?? "absent"] }
        center.register(Token.self, scope: .weak) { center in
            #expect(center.api(type: String.self) == "from the center")
            return Token {}
        }
        #expect(center.api(type: [String].self) == ["from the center"])
        #expect(center.api(type: Token.self) != nil)
    }

    @Test("With the scope `main`, every call builds an IMP on the main actor; `main(.once)` builds only one")
    @MainActor func main() {
        center.register(String.self) { "from the center" }
        center.register(Screen.self, scope: .main) { HomeScreen(title: $0.api(type: String.self) ?? "") }
        #expect(center.api(type: Screen.self)?.title == "from the center")
        #expect(center.api(type: Screen.self) as? HomeScreen !== center.api(type: Screen.self) as? HomeScreen)
        center.removeApi(api: Screen.self)
        center.register(Screen.self, scope: .main(.once)) { HomeScreen() }
        #expect(center.api(type: Screen.self)?.title == "home")
        #expect(center.api(type: Screen.self) as? HomeScreen === center.api(type: Screen.self) as? HomeScreen)
    }

    @Test("Inside an override, an Api with the scope `once` is built again, with the overriding dependency")
    func insideAnOverride() {
        center.register(Int.self) { 1 }
        center.register(String.self, scope: .once) { "\($0.api(type: Int.self) ?? 0)" }
        #expect(center.api(type: String.self) == "1")
        center.withOverrides {
            $0.register(Int.self) { 2 }
        } operation: {
            #expect(center.api(type: String.self) == "2")
        }
        #expect(center.api(type: String.self) == "1")
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("A second registration by either function stops the process, and the message names both call sites")
    func twice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.register(Numbering.self, scope: .once) { Number(number: 1) }
            center.registerApi(type: Numbering.self) { Number(number: 2) }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            message.contains(
                /Numbering is registered twice: first at ApiCenterTests\/RegisterTests\.swift:\d+, again at/))
    }

    @Test("A cycle of `once` Apis stops the process with a message that points to a registration")
    func cycle() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.register(Int.self, scope: .once) { $0.api(type: String.self)?.count ?? 0 }
            center.register(String.self, scope: .once) { "\($0.api(type: Int.self) ?? 0)" }
            _ = center.api(type: Int.self)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("in a cycle: Swift.Int -> Swift.String -> Swift.Int."))
        #expect(message.contains(/ApiCenterTests\/RegisterTests\.swift:\d+: Fatal error/))
    }
    #endif
}
