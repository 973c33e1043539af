import ApiCenter
import Testing

// The usage examples of seed 1, copied verbatim. Examples that use `ApiCenter.shared` run in a
// separate process, because all tests of a process share that center.

/// 协议内方法是 ModuleA 对外提供的能力，包含方法、属性等
protocol ModuleAApiProtocol {
    func descriptionA()
}

/// 实现  ModuleAApiProtocol 协议内所有能力，可以设计成单例模式
struct ModuleAApi: ModuleAApiProtocol {
    // 不同方法内部可以采用不同的实现方案（走不同的路由方案，或者直接实现）

    func descriptionA() {
        // 方法内部可以使用路由方案，或者直接处理
        print("我是 ModuleA Api 的 description 方法")
    }
}

/// 库：ModuleBApi
protocol ModuleBApiProtocol {
    func descriptionB()
}

/// 库：ModuleB
struct ModuleBApi: ModuleBApiProtocol {
    func descriptionB() {
        print("我是 ModuleB Api 的 description 方法")
    }
}

/// 库：ModuleCApi
protocol ModuleCApiProtocol {
    func descriptionC()
}

/// 库：ModuleC
struct ModuleCApi: ModuleCApiProtocol {
    func descriptionC() {
        print("我是 ModuleC Api 的 description 方法")
    }
}

protocol Animal {
    var name: String? { get }
}

class Cat: Animal {
    let name: String?

    init(name: String?) {
        self.name = name
    }
}

protocol Person {
    func play()
}

class PetOwner: Person {
    let pet: Animal

    init(pet: Animal) {
        self.pet = pet
    }

    func play() {
        let name = pet.name ?? "someone"
        print("I'm playing with \(name).")
    }
}

/// The seed's registry, verbatim but without `shared`, because Swift 6 does not let threads share a class with a
/// `var`.
class SeedCenter: ApiCenterProtocol {
    private lazy var registerMap: [String: () -> Any] = [:]

    public func registerApi<T>(type: T.Type, impBuilder: @escaping () -> T) {
        let name = "\(T.self)"
        assert(registerMap[name] == nil, "协议：\(name) 已经注册")
        registerMap[name] = impBuilder
    }

    public func removeApi<T>(api: T.Type) {
        registerMap["\(T.self)"] = nil
    }

    public func api<T>(type: T.Type) -> T? {
        registerMap["\(T.self)"]?() as? T
    }

    public func isRegisteredApi<T>(api: T.Type) -> Bool {
        registerMap["\(T.self)"] != nil
    }

    public func allRegisteredApi() -> [String] {
        registerMap.keys.sorted(by: <)
    }

    public func removeAll() {
        registerMap.removeAll()
    }
}

@Suite("The examples of seed 1")
struct SeedExamplesTests {
    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("Three modules registered in `shared` call each other")
    func modulesCallEachOther() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            /// 注册
            ApiCenter.shared.registerApi(type: ModuleAApiProtocol.self) {
                // 可以直接返回一个单例
                ModuleAApi()
            }

            // 注册到 ApiCenter
            ApiCenter.shared.registerApi(type: ModuleBApiProtocol.self) {
                ModuleBApi()
            }
            ApiCenter.shared.registerApi(type: ModuleCApiProtocol.self) {
                ModuleCApi()
            }

            /// 库：ModuleA
            ApiCenter.shared.api(type: ModuleBApiProtocol.self)?.descriptionB()
            ApiCenter.shared.api(type: ModuleCApiProtocol.self)?.descriptionC()

            /// 库：ModuleB
            ApiCenter.shared.api(type: ModuleAApiProtocol.self)?.descriptionA()
            ApiCenter.shared.api(type: ModuleCApiProtocol.self)?.descriptionC()

            /// 库：ModuleC
            ApiCenter.shared.api(type: ModuleAApiProtocol.self)?.descriptionA()
            ApiCenter.shared.api(type: ModuleBApiProtocol.self)?.descriptionB()
        }
        let lines = lines(of: result?.standardOutputContent).filter { $0.hasPrefix("我是") }
        #expect(lines == ["B", "C", "A", "C", "A", "B"].map { "我是 Module\($0) Api 的 description 方法" })
    }

    @Test("A center works as a small dependency container: it builds an owner with the registered pet")
    func container() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let container = ApiCenter()
            container.registerApi(type: Animal.self) { Cat(name: "Mimi") }
            container.registerApi(type: Person.self) {
                PetOwner(pet: container.api(type: Animal.self)!)
            }
            container.api(type: Person.self)?.play()
        }
        let output = lines(of: result?.standardOutputContent)
        #expect(output.contains("I'm playing with Mimi."))
    }
    #endif

    @Test("All callers of a `once` Api share the data of its IMP")
    func sharedData() throws {
        let center = ApiCenter()
        let one = PetOwner(pet: Cat(name: "Mimi"))
        #expect(one.pet.name == "Mimi")
        center.register(Counting.self, scope: .once) { Counter() }
        for _ in 0..<3 { center.api(type: Counting.self)?.increment() }
        #expect(try center.requireApi(type: Counting.self).count == 3)
    }

    @Test(
        "The center and the seed's registry can both be used through ApiCenterProtocol",
        arguments: [true, false])
    func throughTheProtocol(isSeed: Bool) throws {
        let center: any ApiCenterProtocol = isSeed ? SeedCenter() : ApiCenter()
        center.registerApi(type: Animal.self) { Cat(name: "Mimi") }
        #expect(try center.api(type: Animal.self)?.name == "Mimi")
        #expect(center.isRegisteredApi(api: Animal.self))
        #expect(center.allRegisteredApi() == [isSeed ? "Animal" : "ApiCenterTests.Animal"])
        center.removeApi(api: Animal.self)
        #expect(try center.api(type: Animal.self) == nil)
        center.registerApi(type: Animal.self) { Cat(name: nil) }
        center.removeAll()
        #expect(!center.isRegisteredApi(api: Animal.self))
    }

    private func lines(of output: [UInt8]?) -> [String] {
        String(decoding: output ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
