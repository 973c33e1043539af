import Foundation
import Instrumentation
import RemotePairs
import ServiceContextModule
import TestSupport
import Testing

@Suite("Observing calls", .oneAtATime, .waitLimit)
struct ObservingTests {
    private func describe(_ record: RemoteCallRecord) -> String {
        let outcome =
            switch record.outcome {
            case .value: "value"
            case .error(let error): "error \(error)"
            case .failed(let error): "failed \(error.code.rawValue)"
            }
        return "\(record.pair).\(record.method): \(outcome)"
    }

    @Test("Both sides report each call with its outcome, duration and address")
    func records() async throws {
        let (called, served) = (Shared<[RemoteCallRecord]>([]), Shared<[RemoteCallRecord]>([]))
        var door = TestDoor()
        door.onRing = { _ throws(DoorApiError) in throw .unknownCode }
        door.onReset = { throw TestDoor.Undeclared() }
        var options = RemoteServer.Options.patient
        options.onCall = { record in served.update { $0.append(record) } }
        var calling = RemoteConnection.Options.patient
        calling.onCall = { record in called.update { $0.append(record) } }
        try await Loopback.serve(door, options: options, calling: calling) { loopback in
            _ = try await loopback.door.code(for: "Mia")
            _ = await thrown { try await loopback.door.ring(times: 1) }
            _ = await thrown { try await loopback.door.reset() }
            for try await _ in try await loopback.door.passages(at: "Zoo") {}
            #expect(called.value.allSatisfy { $0.address == loopback.address })
        }
        let expected = [
            "Door.code(for:): value", "Door.ring(times:): error unknownCode", "Door.reset(): failed failed",
            "Door.passages(at:): value",
        ]
        #expect(called.value.map(describe) == expected)
        #expect(served.value.map(describe) == expected)
        #expect(served.value.allSatisfy { $0.address.hasPrefix("ipv4:127.0.0.1:") })
        #expect((called.value + served.value).allSatisfy { $0.duration > .zero })
    }

    @Test("A trace is current in the IMP and in both onCall closures, and a call without a trace has none")
    func traces() async throws {
        TestInstrument.install()
        let seen = Shared<[String?]>([])
        let note: @Sendable () -> Void = { seen.update { $0.append(ServiceContext.current?.testTrace) } }
        var door = TestDoor()
        door.onReset = note
        var options = RemoteServer.Options.patient
        options.onCall = { _ in note() }
        var calling = RemoteConnection.Options.patient
        calling.onCall = { _ in note() }
        try await Loopback.serve(door, options: options, calling: calling) { loopback in
            var context = ServiceContext.topLevel
            context.testTrace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            try await ServiceContext.withValue(context) { try await loopback.door.reset() }
            try await loopback.door.reset()
            #expect(seen.value == Array(repeating: context.testTrace, count: 3) + [nil, nil, nil])
        }
    }
}

/// Carries the W3C header `traceparent` unchanged.
private struct TestInstrument: Instrument {
    private static let installed: Void = InstrumentationSystem.bootstrap(TestInstrument())

    static func install() { installed }

    func inject<Carrier, Inject>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject: Injector, Inject.Carrier == Carrier {
        guard let trace = context.testTrace else { return }
        injector.inject(trace, forKey: "traceparent", into: &carrier)
    }

    func extract<Carrier, Extract>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract: Extractor, Extract.Carrier == Carrier {
        context.testTrace = extractor.extract(key: "traceparent", from: carrier)
    }
}

extension ServiceContext {
    private enum TraceKey: ServiceContextKey { typealias Value = String }

    fileprivate var testTrace: String? {
        get { self[TraceKey.self] }
        set { self[TraceKey.self] = newValue }
    }
}
