import ApiCenter
import Testing

@Suite("Registrations that are rolled back")
struct RollBackTests {
    let center = ApiCenter()

    @Test("Registrations keep no service alive that was rolled back, removed or replaced")
    func freed() {
        let freed = Shared<[String]>([])
        @Sendable func token(_ name: String) -> Token { Token { freed.update { $0.append(name) } } }
        let registrations = center.allOrNothing {
            center.register(Token.self, scope: .once) { token("rolled back") }
            center.register([Token].self, scope: .once) { [token("removed")] }
            center.register(Token?.self, scope: .once) { token("replaced") }
        }
        _ = center.api(type: Token.self)
        _ = center.api(type: [Token].self)
        _ = center.api(type: Token?.self)
        center.removeApi(api: [Token].self)
        center.replaceApi(type: Token?.self) { nil }
        #expect(freed.value == ["removed", "replaced"])
        registrations.rollBack()
        #expect(freed.value == ["removed", "replaced", "rolled back"])
        withExtendedLifetime(registrations) {}
    }

    @Test(
        "A replaced builder is freed when the last value that could restore it is released",
        arguments: [false, true])
    func unreachable(isInScope: Bool) {
        func replace() {
            let freed = Shared(false), inner = Shared<ApiRegistrations?>(nil)
            do {
                let token = Token { freed.update { $0 = true } }
                center.replaceApi(type: Token.self) { token }
            }
            let outer = center.allOrNothing {
                inner.update { [center] in
                    $0 = center.allOrNothing { center.replaceApi(type: Token.self) { Token {} } }
                }
            }
            inner.update { $0 = nil }
            #expect(!freed.value)
            _ = consume outer
            #expect(freed.value)
            #expect(center.isRegisteredApi(api: Token.self))
        }
        if isInScope { center.withOverrides({ _ in }, operation: replace) } else { replace() }
    }

    @Test(
        "A rolled-back IMP never comes back, in whatever order the registrations are rolled back",
        arguments: [false, true])
    func order(isInScope: Bool) {
        func rollBack() {
            let freed = Shared(0)
            let first = center.allOrNothing {
                center.replaceApi(type: Token.self, scope: .once) { Token { freed.update { $0 += 1 } } }
            }
            _ = center.api(type: Token.self)
            let second = center.allOrNothing { center.replaceApi(type: Token.self) { Token {} } }
            let third = center.allOrNothing { center.replaceApi(type: Token.self, scope: .once) { Token {} } }
            let current = center.api(type: Token.self)
            first.rollBack()
            // A scope keeps what it has built until it ends.
            #expect(freed.value == (isInScope ? 0 : 1))
            #expect(center.api(type: Token.self) === current)
            third.rollBack()
            #expect(center.isRegisteredApi(api: Token.self))
            #expect(center.api(type: Token.self) !== current)
            second.rollBack()
            #expect(center.api(type: Token.self) == nil)
            first.rollBack()
            #expect(center.api(type: Token.self) == nil)
        }
        if isInScope { center.withOverrides({ _ in }, operation: rollBack) } else { rollBack() }
    }

    @Test("What a task replaces after the call that started the task is not rolled back")
    func laterTask() async {
        let (steps, step) = AsyncStream.makeStream(of: Void.self)
        let task = Shared<Task<Void, Never>?>(nil), center = center
        let registrations = center.allOrNothing {
            center.register(Int.self) { 1 }
            task.update {
                $0 = Task {
                    for await _ in steps {}
                    center.replaceApi(type: Int.self) { 2 }
                    center.register(UInt.self) { 2 }
                }
            }
        }
        step.finish()
        await task.value?.value
        registrations.rollBack()
        #expect(center.api(type: Int.self) == 2)
        #expect(center.api(type: UInt.self) == 2)
    }
}
