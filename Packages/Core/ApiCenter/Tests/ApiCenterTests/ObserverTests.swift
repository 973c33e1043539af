import ApiCenter
import Testing

@Suite("The observer of a center")
struct ObserverTests {
    let center = ApiCenter()

    @Test("The observer receives the requested Api, the call site and whether an IMP is registered")
    func told() throws {
        let calls = Shared<[ApiCall]>([])
        center.setObserver { call in calls.update { $0.append(call) } }
        center.registerApi(type: Numbering.self) { Number(number: 1) }
        _ = center.api(type: Numbering.self)
        let line: UInt = #line - 1
        _ = center.api(type: Int.self)
        #expect(calls.value.map(\.api) == ["ApiCenterTests.Numbering", "Swift.Int"])
        #expect(calls.value.map(\.isRegistered) == [true, false])
        let site = try #require(calls.value.first?.site)
        #expect(site.description == "ApiCenterTests/ObserverTests.swift:\(line)")
        #expect(site.module == "ApiCenterTests")
        #expect(site == CallSite(fileID: "ApiCenterTests/ObserverTests.swift", line: line))
    }

    @Test("The observer sees a call before the calls that its builder makes")
    func order() {
        let names = Shared<[String]>([])
        center.registerApi(type: Int.self) { 1 }
        center.registerApi(type: Numbering.self) { Number(number: $0.api(type: Int.self) ?? 0) }
        center.setObserver { call in names.update { $0.append("\(call.type) \(call.site.line)") } }
        _ = center.api(type: Numbering.self)
        #expect(names.value == ["Numbering \(#line - 1)", "Int \(#line - 3)"])
    }

    @Test("The observer sees a call through ApiCenterProtocol, but not the caller's line")
    func throughTheProtocol() throws {
        let sites = Shared<[String]>([])
        center.setObserver { call in sites.update { $0.append("\(call.type) \(call.site.fileID)") } }
        let asProtocol: any ApiCenterProtocol = center
        _ = try asProtocol.api(type: Int.self)
        #expect(sites.value == ["Int ApiCenter/ApiCenterProtocol.swift"])
    }

    @Test("A removed observer is freed and sees no more calls")
    func removed() {
        let freed = Shared(0), calls = Shared(0)
        let token = Token { freed.update { $0 += 1 } }
        center.setObserver { _ in withExtendedLifetime(token) { calls.update { $0 += 1 } } }
        _ = consume token
        _ = center.api(type: Int.self)
        center.setObserver(nil)
        _ = center.api(type: Int.self)
        #expect(calls.value == 1)
        #expect(freed.value == 1)
    }

    @Test("Observing any number of calls does not overflow the stack")
    func manyCalls() {
        let calls = Shared(0)
        center.setObserver { _ in calls.update { $0 += 1 } }
        // If each call added a wrapper, this many calls would overflow the stack.
        for _ in 0..<300_000 { _ = center.api(type: Int.self) }
        #expect(calls.value == 300_000)
    }

    @Test("The observer may call the center, and its own calls are not observed")
    func asksItself() {
        let calls = Shared(0)
        center.registerApi(type: Int.self) { 7 }
        center.setObserver { [center] _ in
            calls.update { $0 += center.api(type: Int.self) ?? 0 }
        }
        _ = center.api(type: Int.self)
        #expect(calls.value == 7)
        center.setObserver(nil)
    }

    @Test("The observer sees that an Api has no IMP if an override removed the Api")
    func withOverrides() {
        let found = Shared<[Bool]>([])
        center.registerApi(type: Int.self) { 1 }
        center.setObserver { call in found.update { $0.append(call.isRegistered) } }
        center.withOverrides {
            $0.removeApi(api: Int.self)
        } operation: {
            _ = center.api(type: Int.self)
        }
        _ = center.api(type: Int.self)
        #expect(found.value == [false, true])
    }
}

@Suite("The method requireApi")
struct RequireApiTests {
    let center = ApiCenter()

    protocol JourneyApiProtocol {}
    protocol JourneysApiProtocol {}
    enum Other {
        protocol JourneyApiProtocol {}
        struct Imp: JourneyApiProtocol, JourneysApiProtocol {}
    }

    @Test("The method requireApi returns the IMP of a registered Api")
    func found() throws(ApiError) {
        center.registerApi(type: Int.self) { 3 }
        let number: Int = try center.requireApi(type: Int.self)
        #expect(number == 3)
    }

    @Test("The error of requireApi names the missing Api, the call site, similar names and the fix")
    func missing() throws {
        center.registerApi(type: Other.JourneyApiProtocol.self) { Other.Imp() }
        center.registerApi(type: JourneysApiProtocol.self) { Other.Imp() }
        center.registerApi(type: Numbering.self) { Number(number: 1) }
        let error = #expect(throws: ApiError.self) { try center.requireApi(type: JourneyApiProtocol.self) }
        let line = #line - 1
        #expect(error?.api == "ApiCenterTests.RequireApiTests.JourneyApiProtocol")
        #expect(
            error?.similar == [
                "ApiCenterTests.RequireApiTests.JourneysApiProtocol",
                "ApiCenterTests.RequireApiTests.Other.JourneyApiProtocol",
            ])
        let text = String(describing: try #require(error))
        #expect(text.hasPrefix("ApiCenterTests/ObserverTests.swift:\(line): no IMP of "))
        #expect(text.contains("register(JourneyApiProtocol.self)"))
        #expect(!text.contains("Numbering"))
    }
}
