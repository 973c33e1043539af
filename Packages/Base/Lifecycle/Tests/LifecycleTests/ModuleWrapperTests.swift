import ApiCenter
import Lifecycle
import TestSupport
import Testing

private protocol Greeting { func hello() -> String }

private struct GreetingRecorder: Module, Greeting {
    let recorder: Recorder
    var name: String { recorder.name }
    var version: String { "3.2.1" }
    var after: [String] { recorder.after }
    func register(in center: ApiCenter) throws { try recorder.register(in: center) }
    func prepare(in center: ApiCenter) async throws { try await recorder.prepare(in: center) }
    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await recorder.handle(event, in: center)
    }
    func hello() -> String { "hello from \(name)" }
}

private struct Plain: ModuleWrapper { let wrapped: any Module }

private struct Renamed: ModuleWrapper {
    let wrapped: any Module
    var name: String { "\(wrapped.name) elsewhere" }
}

@Suite("A module wrapper", .waitLimit)
struct ModuleWrapperTests {
    private let journal = Journal()
    private var module: GreetingRecorder {
        GreetingRecorder(recorder: Recorder(name: "A", after: ["B"], journal: journal))
    }

    @Test("A wrapper forwards every member of a module")
    func all() async throws {
        let wrapper: any Module = Plain(wrapped: module)
        #expect(wrapper.name == "A" && wrapper.version == "3.2.1" && wrapper.after == ["B"])
        let host = try ModuleHost([wrapper], center: ApiCenter())
        await host.send(.active)
        #expect(journal.all == ["A register", "A prepare", "A active"])
    }

    @Test("A wrapper keeps the members that it declares itself")
    func own() {
        let wrapper: any Module = Renamed(wrapped: Plain(wrapped: module))
        #expect(wrapper.name == "A elsewhere" && wrapper.after == ["B"])
    }

    @Test("A conformance of a wrapped module is found through any number of wrappers")
    func conformance() {
        let wrapper: any Module = Renamed(wrapped: Plain(wrapped: module))
        #expect(wrapper.conformance(to: (any Greeting).self)?.hello() == "hello from A")
        #expect(wrapper.conformance(to: (any ModuleWrapper).self) is Renamed)
        #expect(
            Plain(wrapped: Recorder(name: "B", journal: journal)).conformance(to: (any Greeting).self) == nil)
    }
}
