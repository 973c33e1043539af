import ApiCenter
import ApiCenterTesting
import Testing

/// The center that the tests of this file share, as the code of an app shares `ApiCenter.shared`.
private let app = {
    let center = ApiCenter()
    center.register(Numbering.self) { Number(number: 1) }
    center.register(Counting.self, scope: .once) { Counter() }
    return center
}()

private var number: Int? { app.api(type: Numbering.self)?.number }

@Suite(
    "Tests with overrides of a shared center",
    .apis(of: app) {
        $0.register(Numbering.self) { Number(number: 2) }
        $0.register(String.self) { "from the suite" }
    })
struct OverridesTraitTests {
    /// What the initialiser of the suite sees.
    let atInit = number

    @Test("A test sees the overrides of its suite, and so does the suite's initialiser")
    func suite() {
        #expect(number == 2)
        #expect(atInit == 2)
    }

    @Test(
        "A test's own override wins over the one of its suite",
        .apis(of: app) {
            $0.register(Numbering.self) { Number(number: 3) }
        })
    func inner() {
        #expect(number == 3)
        #expect(app.api(type: String.self) == "from the suite")
    }

    @Suite("A nested suite", .apis(of: app) { $0.register(Numbering.self) { Number(number: 4) } })
    struct Nested {
        @Test("A nested suite inherits the overrides of the outer suite, and its own override wins")
        func inherits() {
            #expect(number == 4)
            #expect(app.api(type: String.self) == "from the suite")
        }
    }

    @Suite("A nested suite without overrides")
    struct Plain {
        @Test("A nested suite inherits the overrides of the outer suite")
        func inherits() { #expect(number == 2) }
    }

    @Test("Each of 1,000 parallel cases has its own `once` value, in child tasks too", arguments: 0..<1_000)
    func ownValue(_: Int) async {
        async let child: Void? = app.api(type: Counting.self)?.increment()
        await Task { app.api(type: Counting.self)?.increment() }.value
        await withTaskGroup { group in
            group.addTask { app.api(type: Counting.self)?.increment() }
        }
        await child
        #expect(app.api(type: Counting.self)?.count == 3)
        let outside = await Task.detached { (app.api(type: Counting.self)?.count, number) }.value
        #expect(outside == (0, 1))
    }

    @Test("The default center is the shared one", .apis { $0.register(Numbering.self) { Number(number: 6) } })
    func shared() async {
        #expect(ApiCenter.shared.api(type: Numbering.self)?.number == 6)
        let outside = await Task.detached { ApiCenter.shared.api(type: Numbering.self) == nil }.value
        #expect(outside)
    }

    @Test("A replacement in the body of a test takes effect in this test alone", arguments: 0..<100)
    func replacesInTheBody(number: Int) async {
        app.replaceApi(type: Numbering.self) { Number(number: number) }
        await Task.yield()
        #expect(app.api(type: Numbering.self)?.number == number)
        let outside = await Task.detached { app.api(type: Numbering.self)?.number }.value
        #expect(outside == 1)
    }

    @Test("The module of the tested code may register", .apis(of: app) { Checkout().register(in: $0) })
    func module() { #expect(number == 8) }

    struct Checkout {
        func register(in center: ApiCenter) {
            center.register(Numbering.self, scope: .once) { Number(number: 8) }
        }
    }

    @Test(
        "A fake may be built on the main actor",
        .apis(of: app) {
            $0.register(Screen.self, scope: .main) { FakeScreen() }
            $0.register(OtherScreen.self, scope: .main(.once)) {
                FakeScreen(title: $0.api(type: Screen.self)?.title)
            }
        })
    @MainActor func onTheMainActor() {
        #expect(app.api(type: Screen.self)?.title == "fake")
        #expect(app.api(type: OtherScreen.self)?.title == "fake")
        #expect(
            app.api(type: OtherScreen.self) as? FakeScreen === app.api(type: OtherScreen.self) as? FakeScreen)
    }

    @MainActor protocol Screen: Sendable {
        var title: String { get }
    }

    @MainActor protocol OtherScreen: Sendable {
        var title: String { get }
    }

    @MainActor final class FakeScreen: Screen, OtherScreen {
        let title: String
        init(title: String? = "fake") { self.title = title ?? "none" }
    }
}

@Suite("The scope of a test with overrides")
struct OverridesTraitScopeTests {
    @Test("The fakes of a test are freed when the test has ended, and a thrown error fails the test")
    func freed() async throws {
        let freed = Shared(0), center = app
        func runOne(_ index: Int) async throws {
            let trait = ApiOverridesTrait.apis(of: center) { overrides in
                let token = Token { freed.update { $0 += 1 } }
                overrides.register(Token.self) { token }
            }
            guard let test = Test.current else { return }
            try await trait.provideScope(for: test, testCase: Test.Case.current) {
                #expect(center.api(type: Token.self) != nil)
                if index == 999 { throw CancellationError() }
            }
        }
        for index in 0..<999 { try await runOne(index) }
        await #expect(throws: CancellationError.self) { try await runOne(999) }
        #expect(freed.value == 1_000)
        #expect(center.api(type: Token.self) == nil)
    }
}
