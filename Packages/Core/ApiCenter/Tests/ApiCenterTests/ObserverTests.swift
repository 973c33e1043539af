import ApiCenter
import Testing

@Suite("The observer")
struct ObserverTests {
    let center = ApiCenter()

    @Test("is told the Api, the caller's file, line and module, and whether it was there")
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

    @Test("sees an outer call before those that its builder makes, and calls through the protocol")
    func order() throws {
        let names = Shared<[String]>([])
        center.registerApi(type: Int.self) { 1 }
        center.registerApi(type: Numbering.self) { Number(number: $0.api(type: Int.self) ?? 0) }
        center.setObserver { call in names.update { $0.append("\(call.type) \(call.site.line)") } }
        let asProtocol: any ApiCenterProtocol = center
        _ = try asProtocol.api(type: Numbering.self)
        #expect(names.value == ["Numbering \(#line - 1)", "Int \(#line - 4)"])
    }

    @Test("is told no more once it is removed, and is freed")
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

    @Test("may be told of any number of calls")
    func manyCalls() {
        let calls = Shared(0)
        center.setObserver { _ in calls.update { $0 += 1 } }
        // A wrapper more a call, and this many would not fit on a stack.
        for _ in 0..<300_000 { _ = center.api(type: Int.self) }
        #expect(calls.value == 300_000)
    }

    @Test("works together with overrides")
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

@Suite("requireApi")
struct RequireApiTests {
    let center = ApiCenter()

    protocol ShopApiProtocol {}
    protocol ShoppApiProtocol {}
    enum Other {
        protocol ShopApiProtocol {}
        struct Imp: ShopApiProtocol, ShoppApiProtocol {}
    }

    @Test("returns the IMP when there is one")
    func found() throws(ApiError) {
        center.registerApi(type: Int.self) { 3 }
        let number: Int = try center.requireApi(type: Int.self)
        #expect(number == 3)
    }

    @Test("names what is missing, where it was asked for, what looks like it, and what to do")
    func missing() throws {
        center.registerApi(type: Other.ShopApiProtocol.self) { Other.Imp() }
        center.registerApi(type: ShoppApiProtocol.self) { Other.Imp() }
        center.registerApi(type: Numbering.self) { Number(number: 1) }
        let error = #expect(throws: ApiError.self) { try center.requireApi(type: ShopApiProtocol.self) }
        let line = #line - 1
        #expect(error?.api == "ApiCenterTests.RequireApiTests.ShopApiProtocol")
        #expect(
            error?.similar == [
                "ApiCenterTests.RequireApiTests.Other.ShopApiProtocol",
                "ApiCenterTests.RequireApiTests.ShoppApiProtocol",
            ])
        let text = String(describing: try #require(error))
        #expect(text.hasPrefix("ApiCenterTests/ObserverTests.swift:\(line): no IMP of "))
        #expect(text.contains("registerApi(type: ShopApiProtocol.self)"))
        #expect(!text.contains("Numbering"))
    }
}
