import ApiCenter
import Testing

@Suite("Builders that run before anyone asks")
struct BuildAheadTests {
    struct NoDisk: Error {}

    let center = ApiCenter()
    /// The names of the builders that have run.
    let built = Shared<[String]>([])

    @Test(
        "A host builds the `once` IMPs of a module in the order of their registration, each on its own actor")
    func buildOnce() async throws {
        let built = built
        let registrations = center.allOrNothing {
            center.register(Counting.self, scope: .once) {
                #expect(!Thread.isMain)
                built.update { $0.append("once") }
                return Counter()
            }
            center.register(Screen.self, scope: .main(.once)) {
                built.update { $0.append("main once") }
                return Screen()
            }
            center.register(Int.self) { record("each", 1, built) }
            center.register(UInt.self, scope: .main) { record("main", 1, built) }
            center.register(Token.self, scope: .weak) { record("weak", Token {}, built) }
            center.register(String.self, scope: .session(Screen.self)) { record("session", "", built) }
            center.registerApi(type: Bool.self) { record("registerApi", true, built) }
        }
        center.register(Double.self, scope: .once) { record("of another module", 1, built) }
        try await registrations.buildOnce()
        #expect(built.value == ["once", "main once"])
        // The IMPs exist, and are not built again.
        center.api(type: Counting.self)?.increment()
        try await registrations.buildOnce()
        #expect(built.value == ["once", "main once"])
        #expect(center.api(type: Counting.self)?.count == 1)
    }

    @Test(
        "The error names the registration and the cause; no later IMP is built, and a second call tries again"
    )
    func fails() async throws {
        let built = built, isFull = Shared(true)
        let registrations = center.allOrNothing {
            center.register(Counter.self, scope: .once) {
                if isFull.value { throw NoDisk() }
                return record("counter", Counter(), built)
            }
            center.register(Int.self, scope: .once) { record("later", 1, built) }
        }
        let line = #line - 6
        let error = await #expect(throws: ApiError.self) { try await registrations.buildOnce() }
        #expect(error?.cause is NoDisk)
        #expect(error?.api == "ApiCenterTests.Counter")
        #expect(error?.site.description == "ApiCenterTests/BuildAheadTests.swift:\(line)")
        #expect(built.value == [])
        isFull.update { $0 = false }
        try await registrations.buildOnce()
        #expect(built.value == ["counter", "later"])
    }

    @Test("Registrations that were replaced, removed or rolled back are not built")
    func changed() async throws {
        let built = built, freed = Shared(0)
        let registrations = center.allOrNothing {
            center.register(Int.self, scope: .once) { record("replaced", 1, built) }
            center.register(UInt.self, scope: .once) { record("removed", 1, built) }
            center.register(Token.self, scope: .once) {
                record("token", Token { freed.update { $0 += 1 } }, built)
            }
        }
        center.replaceApi(type: Int.self, scope: .once) { record("new", 1, built) }
        center.removeApi(api: UInt.self)
        try await registrations.buildOnce()
        #expect(built.value == ["token"])
        registrations.rollBack()
        #expect(freed.value == 1)
        #expect(center.api(type: Token.self) == nil)
        try await registrations.buildOnce()
        #expect(built.value == ["token"])
        #expect(center.allRegisteredApi() == ["Swift.Int"])
    }

    @Test("A cancelled call runs no further builder")
    func cancelled() async {
        let built = built, center = center
        let registrations = center.allOrNothing {
            center.register(Int.self, scope: .once) {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return record("first", 1, built)
            }
            center.register(UInt.self, scope: .once) { record("second", 1, built) }
        }
        let error = await Task {
            await #expect(throws: ApiError.self) { try await registrations.buildOnce() }
        }.value
        #expect(error?.cause is CancellationError)
        #expect(built.value == ["first"])
    }

    @Test("In a scope of overrides, a host builds what was registered there")
    func inScope() async throws {
        let built = built, center = center
        center.register(Int.self, scope: .once) { record("outside", 1, built) }
        try await center.withOverrides { _ in
        } operation: {
            let registrations = center.allOrNothing {
                center.replaceApi(type: Int.self, scope: .once) { record("inside", 2, built) }
            }
            try await registrations.buildOnce()
            #expect(center.api(type: Int.self) == 2)
        }
        #expect(built.value == ["inside"])
    }

    @Test("buildAll builds every Api once, in sessions of its own, and keeps nothing")
    func buildAll() async {
        let built = built, freed = Shared(0), center = center
        center.register(Int.self) { record("each", 1, built) }
        center.register(Counting.self, scope: .once) { record("once", Counter(), built) }
        center.register(Token.self, scope: .weak) {
            record("weak", Token { freed.update { $0 += 1 } }, built)
        }
        center.register([Token].self, scope: .session(Screen.self)) {
            record("session", [Token { freed.update { $0 += 1 } }], built)
        }
        center.register(Screen.self, scope: .main(.once)) { Screen() }
        center.registerApi(type: OtherScreen.self, impBuilder: weakSingleton(onMain { OtherScreen() }))
        center.register(String.self, scope: .once) { "\($0.api(type: Int.self) ?? 0)" }
        center.api(type: Counting.self)?.increment()
        built.update { $0 = [] }
        #expect(await center.buildAll() == [])
        #expect(built.value.sorted() == ["each", "each", "once", "session", "weak"])
        #expect(freed.value == 2)
        #expect(center.api(type: Counting.self)?.count == 1)
    }

    @Test("An IMP of the main actor can replace another one, with a builder that uses the center or does not")
    func replaced() async {
        let center = center
        center.register(Int.self) { 4 }
        center.register(String.self, scope: .main) { "" }
        center.replaceApi(type: String.self, scope: .main) { center in
            MainActor.assertIsolated()
            return "\(center.api(type: Int.self) ?? 0)"
        }
        #expect(await MainActor.run { center.api(type: String.self) } == "4")
        center.replaceApi(type: String.self, scope: .main(.once)) {
            MainActor.assertIsolated()
            return "5"
        }
        #expect(await MainActor.run { center.api(type: String.self) } == "5")
        #expect(await center.buildAll() == [])
    }

    @Test("buildAll returns the errors of all Apis that cannot be built, in the order of their names")
    func errors() async {
        center.register(UInt.self, scope: .once) { throw NoDisk() }
        center.register(Int.self) { throw NoDisk() }
        center.register(String.self) { "fine" }
        let errors = await center.buildAll()
        #expect(errors.map(\.api) == ["Swift.Int", "Swift.UInt"])
        #expect(errors.allSatisfy { $0.cause is NoDisk })
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("buildAll finds an IMP off the main actor whose builder requests one of the main actor")
    func wrongActor() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.register(Screen.self, scope: .main) { Screen() }
            center.register(Int.self) { $0.api(type: Screen.self) == nil ? 0 : 1 }
            _ = await center.buildAll()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Screen is built on the main actor and was requested elsewhere"))
    }
    #endif
}

@MainActor private final class Screen: Sendable {
    init() { MainActor.assertIsolated() }
}

@MainActor private final class OtherScreen: Sendable {}

/// Notes that a builder has run, and returns its IMP.
private func record<IMP>(_ name: String, _ imp: IMP, _ built: Shared<[String]>) -> IMP {
    built.update { $0.append(name) }
    return imp
}
