import ApiCenter
import Testing

@Suite("The observers of a center")
struct ObserverTests {
    let center = ApiCenter()

    @Test("The observer receives the requested Api, the call site and whether an IMP is registered")
    func told() throws {
        let calls = Shared<[ApiCall]>([])
        center.addObserver { call in calls.update { $0.append(call) } }
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
        center.addObserver { call in names.update { $0.append("\(call.type) \(call.site.line)") } }
        _ = center.api(type: Numbering.self)
        #expect(names.value == ["Numbering \(#line - 1)", "Int \(#line - 3)"])
    }

    @Test("The observer sees a call through ApiCenterProtocol, but not the caller's line")
    func throughTheProtocol() throws {
        let sites = Shared<[String]>([])
        center.addObserver { call in sites.update { $0.append("\(call.type) \(call.site.fileID)") } }
        let asProtocol: any ApiCenterProtocol = center
        _ = try asProtocol.api(type: Int.self)
        #expect(sites.value == ["Int ApiCenter/ApiCenterProtocol.swift"])
    }

    @Test("A removed observer is freed and sees no more calls")
    func removed() {
        let freed = Shared(0), calls = Shared(0)
        let token = Token { freed.update { $0 += 1 } }
        let observation = center.addObserver { _ in
            withExtendedLifetime(token) { calls.update { $0 += 1 } }
        }
        _ = consume token
        _ = center.api(type: Int.self)
        observation.end()
        _ = center.api(type: Int.self)
        #expect(calls.value == 1)
        #expect(freed.value == 1)
        observation.end()
    }

    @Test("Several observers see each call in the order in which they were added, until each has ended")
    func several() {
        let heard = Shared("")
        let first = center.addObserver { _ in heard.update { $0 += "1" } }
        let second = center.addObserver { _ in heard.update { $0 += "2" } }
        _ = center.api(type: Int.self)
        first.end()
        _ = center.api(type: Int.self)
        let third = center.addObserver { _ in heard.update { $0 += "3" } }
        _ = center.api(type: Int.self)
        // The end of another center's observation, and a second end, change nothing here.
        ApiCenter().addObserver { _ in }.end()
        first.end()
        second.end()
        _ = center.api(type: Int.self)
        third.end()
        _ = center.api(type: Int.self)
        #expect(heard.value == "122233")
    }

    @Test("An observer may end itself and others, and add one, while it is called")
    func endsInside() {
        let heard = Shared(""), center = center
        let observations = Shared<[ApiObservation]>([])
        observations.update {
            $0 = [
                center.addObserver { _ in
                    heard.update { $0 += "1" }
                    for observation in observations.value { observation.end() }
                    center.addObserver { _ in heard.update { $0 += "3" } }
                },
                center.addObserver { _ in heard.update { $0 += "2" } },
            ]
        }
        // The second observer may still hear of the call during which it ended.
        _ = center.api(type: Int.self)
        #expect(heard.value.first == "1" && !heard.value.contains("3"))
        heard.update { $0 = "" }
        _ = center.api(type: Int.self)
        #expect(heard.value == "3")
    }

    @Test("Threads that add and end observers lose no other observer")
    func racing() {
        let center = center, kept = Shared(0), ended = Shared(0)
        center.addObserver { _ in kept.update { $0 += 1 } }
        Thread.race(4) { thread in
            for _ in 0..<200 {
                if thread == 0 {
                    _ = center.api(type: Int.self)
                } else {
                    center.addObserver { _ in ended.update { $0 += 1 } }.end()
                }
            }
        }
        #expect(kept.value == 200)
        let before = ended.value
        _ = center.api(type: Int.self)
        #expect(ended.value == before)
    }

    @Test("Observers hear the error of a builder after the call itself, the error of a nested builder first")
    func failures() {
        struct NoDisk: Error {}
        let heard = Shared<[String]>([])
        center.register(Int.self, scope: .once) { throw NoDisk() }
        center.register(String.self) { "\(try $0.requireApi(type: Int.self))" }
        center.addObserver { call in
            let failure = call.failure.map { "failed, \($0 is NoDisk)" }
            heard.update { $0.append("\(call.type) \(failure ?? "") \(call.isRegistered)") }
        }
        #expect(center.api(type: String.self) == nil)
        #expect(
            heard.value == [
                "String  true", "Int  true", "Int failed, true true", "String failed, false true",
            ])
    }

    @Test("Observing any number of calls does not overflow the stack")
    func manyCalls() {
        let calls = Shared(0)
        center.addObserver { _ in calls.update { $0 += 1 } }
        // If each call added a wrapper, this many calls would overflow the stack.
        for _ in 0..<300_000 { _ = center.api(type: Int.self) }
        #expect(calls.value == 300_000)
    }

    @Test("The observer may call the center, and its own calls are not observed")
    func asksItself() {
        let calls = Shared(0)
        center.registerApi(type: Int.self) { 7 }
        let observation = center.addObserver { [center] _ in
            calls.update { $0 += center.api(type: Int.self) ?? 0 }
        }
        _ = center.api(type: Int.self)
        #expect(calls.value == 7)
        observation.end()
    }

    @Test("The observer sees that an Api has no IMP if an override removed the Api")
    func withOverrides() {
        let found = Shared<[Bool]>([])
        center.registerApi(type: Int.self) { 1 }
        center.addObserver { call in found.update { $0.append(call.isRegistered) } }
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
    protocol JourneyV2ApiProtocol {}
    protocol JourneyMapApiProtocol {}
    enum Other {
        protocol JourneyApiProtocol {}
        struct Imp: JourneyApiProtocol, JourneysApiProtocol, JourneyV2ApiProtocol, JourneyMapApiProtocol {}
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
        center.registerApi(type: JourneyV2ApiProtocol.self) { Other.Imp() }
        // Neither name is similar: one is three letters longer.
        center.registerApi(type: JourneyMapApiProtocol.self) { Other.Imp() }
        center.registerApi(type: Numbering.self) { Number(number: 1) }
        let error = #expect(throws: ApiError.self) { try center.requireApi(type: JourneyApiProtocol.self) }
        let line = #line - 1
        #expect(error?.api == "ApiCenterTests.RequireApiTests.JourneyApiProtocol")
        #expect(
            error?.similar == [
                "ApiCenterTests.RequireApiTests.JourneyV2ApiProtocol",
                "ApiCenterTests.RequireApiTests.JourneysApiProtocol",
                "ApiCenterTests.RequireApiTests.Other.JourneyApiProtocol",
            ])
        let text = String(describing: try #require(error))
        #expect(text.hasPrefix("ApiCenterTests/ObserverTests.swift:\(line): no IMP of "))
        #expect(text.contains("register(JourneyApiProtocol.self)"))
        #expect(!text.contains("Numbering"))
    }
}
