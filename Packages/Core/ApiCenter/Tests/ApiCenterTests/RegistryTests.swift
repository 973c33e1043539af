import ApiCenter
import Dispatch
import Foundation
import Testing

private enum Here {
    protocol Service {}
    struct Imp: Service {}
}

private enum There {
    protocol Service {}
}

@Suite("The registry of a center")
struct RegistryTests {
    let center = ApiCenter()

    @Test("A builder runs on every call, on the caller's thread")
    func buildsEachTime() {
        let built = Shared(0)
        let caller = ObjectIdentifier(Foundation.Thread.current)
        center.registerApi(type: Numbering.self) {
            built.update { $0 += 1 }
            #expect(ObjectIdentifier(Foundation.Thread.current) == caller)
            return Number(number: built.value)
        }
        #expect(built.value == 0)
        #expect(center.api(type: Numbering.self)?.number == 1)
        #expect(center.api(type: Numbering.self)?.number == 2)
    }

    @Test("A call for an unregistered or removed Api returns nil")
    func missing() {
        #expect(center.api(type: Numbering.self) == nil)
        center.registerApi(type: Numbering.self) { Number(number: 1) }
        #expect(center.isRegisteredApi(api: Numbering.self))
        center.removeApi(api: Numbering.self)
        center.removeApi(api: Numbering.self)
        #expect(center.api(type: Numbering.self) == nil)
        #expect(!center.isRegisteredApi(api: Numbering.self))
    }

    @Test("A removed Api may be registered again, and a replaced Api returns the new IMP")
    func registerAgain() {
        center.registerApi(type: Numbering.self) { Number(number: 1) }
        center.removeApi(api: Numbering.self)
        center.registerApi(type: Numbering.self) { Number(number: 2) }
        #expect(center.api(type: Numbering.self)?.number == 2)
        center.replaceApi(type: Numbering.self) { Number(number: 3) }
        #expect(center.api(type: Numbering.self)?.number == 3)
        center.removeAll()
        center.replaceApi(type: Numbering.self) { Number(number: 4) }
        #expect(center.api(type: Numbering.self)?.number == 4)
    }

    @Test("The key is the type's identity, so two modules may each declare a protocol Service")
    func identity() {
        center.registerApi(type: Here.Service.self) { Here.Imp() }
        #expect(center.api(type: Here.Service.self) != nil)
        #expect(center.api(type: There.Service.self) == nil)
    }

    @Test("The names of the registered Apis are module-qualified and sorted")
    func names() {
        center.registerApi(type: Numbering.self) { Number(number: 1) }
        center.registerApi(type: Counting.self) { Counter() }
        #expect(center.allRegisteredApi() == ["ApiCenterTests.Counting", "ApiCenterTests.Numbering"])
    }

    @Test("Any type may be an Api: a class, a struct, a function type or an optional")
    func anyType() {
        center.registerApi(type: Counter.self) { Counter() }
        center.registerApi(type: Int.self) { 7 }
        center.registerApi(type: Int?.self) { nil }
        center.registerApi(type: (() -> Int).self) { { 8 } }
        #expect(center.api(type: Counter.self)?.count == 0)
        #expect(center.api(type: Int.self) == 7)
        #expect(center.api(type: Int?.self) == .some(nil))
        #expect(center.api(type: (() -> Int).self)?() == 8)
    }

    @Test("A call with a metatype variable requests the variable's static type, not the stored subclass")
    func metatypes() {
        class Base {}
        final class Sub: Base {}
        let type: Base.Type = Sub.self
        center.registerApi(type: Sub.self) { Sub() }
        #expect(center.api(type: type) == nil)
        #expect(!center.isRegisteredApi(api: type))
        center.registerApi(type: type) { Base() }
        #expect(center.isRegisteredApi(api: Base.self))
        center.removeApi(api: type)
        #expect(center.api(type: Base.self) == nil)
        #expect(center.api(type: Sub.self) != nil)
        center.withOverrides {
            $0.removeApi(api: type)
        } operation: {
            #expect(center.api(type: Sub.self) != nil)
        }
    }

    @Test("A builder may request, register, replace and remove Apis, including its own Api")
    func reentrancy() {
        center.registerApi(type: Int.self) { 1 }
        center.registerApi(type: Numbering.self) { center in
            center.replaceApi(type: Numbering.self) { Number(number: 20) }
            center.removeApi(api: Int.self)
            center.registerApi(type: String.self) { "new" }
            return Number(number: center.api(type: Numbering.self)?.number ?? 0)
        }
        #expect(center.api(type: Numbering.self)?.number == 20)
        #expect(center.api(type: Int.self) == nil)
        #expect(center.api(type: String.self) == "new")
    }

    @Test("Builders may be nested more deeply than there are reader slots")
    func deepNesting() {
        struct Level: Sendable { let depth: Int }
        let left = Shared(100)
        center.registerApi(type: Level.self) { center in
            left.update { $0 -= 1 }
            return left.value == 0
                ? Level(depth: 1) : Level(depth: (center.api(type: Level.self)?.depth ?? 0) + 1)
        }
        #expect(center.api(type: Level.self)?.depth == 100)
    }

    @Test("A thousand Apis stay distinct while the table grows and Apis are removed and registered again")
    func aThousandApis() {
        let many = manyApis(count: 1000)
        for api in many { api.register(in: center) }
        #expect(center.allRegisteredApi().count == 1000)
        for api in many { #expect(api.number(in: center) == api.number) }
        for api in many where api.number.isMultiple(of: 3) { api.remove(from: center) }
        for api in many {
            #expect(api.number(in: center) == (api.number.isMultiple(of: 3) ? nil : api.number))
        }
        for api in many where api.number.isMultiple(of: 3) { api.register(in: center) }
        for api in many { #expect(api.number(in: center) == api.number) }
        center.removeAll()
        #expect(center.allRegisteredApi() == [])
    }

    @Test("Two centers share no registrations")
    func centersAreSeparate() {
        let other = ApiCenter()
        center.register(Numbering.self) { Number(number: 1) }
        #expect(other.api(type: Numbering.self) == nil)
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("A duplicate registration stops the process with a message that names both call sites")
    func duplicate() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.registerApi(type: Numbering.self) { Number(number: 1) }
            center.registerApi(type: Numbering.self, impBuilder: once { Number(number: 2) })
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("ApiCenterTests.Numbering is registered twice"))
        #expect(message.matches(of: /ApiCenterTests\/RegistryTests.swift:\d+/).count >= 3)
        #expect(message.contains("replaceApi(type:impBuilder:)"))
    }
    #endif

    @Test("A failing allOrNothing call rolls back its registrations and replacements, but no other changes")
    func allOrNothing() throws {
        struct Failure: Error {}
        let freed = Shared(0)
        center.registerApi(type: Numbering.self) { Number(number: 1) }
        center.registerApi(type: UInt.self) { 1 }
        #expect(throws: Failure.self) {
            try center.allOrNothing {
                let token = Token { freed.update { $0 += 1 } }
                center.registerApi(type: Token.self) { token }
                center.replaceApi(type: Numbering.self) { Number(number: 2) }
                center.replaceApi(type: Numbering.self) { Number(number: 3) }
                center.removeApi(api: UInt.self)
                center.allOrNothing { center.registerApi(type: String.self) { "inner" } }
                ApiCenter().registerApi(type: Int.self) { 1 }
                let left = DispatchGroup()
                Thread.run(in: left) { [center] in center.registerApi(type: Bool.self) { true } }
                left.wait(for: "the other thread's change")
                throw Failure()
            }
        }
        #expect(freed.value == 1)
        #expect(center.api(type: Numbering.self)?.number == 1)
        #expect(
            center.allRegisteredApi() == ["Swift.Bool", String(reflecting: (any Numbering).self)].sorted())
    }

    @Test("A successful allOrNothing call keeps its registrations; a failed one keeps other threads' changes")
    func allOrNothingKeeps() {
        struct Failure: Error {}
        center.allOrNothing { center.registerApi(type: Int.self) { 1 } }
        #expect(throws: Failure.self) {
            try center.allOrNothing {
                center.registerApi(type: String.self) { "first" }
                let left = DispatchGroup()
                Thread.run(in: left) { [center] in center.replaceApi(type: String.self) { "second" } }
                left.wait(for: "the other thread's change")
                throw Failure()
            }
        }
        #expect(center.api(type: Int.self) == 1)
        #expect(center.api(type: String.self) == "second")
    }
}
