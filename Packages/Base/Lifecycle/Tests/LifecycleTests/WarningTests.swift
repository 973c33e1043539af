#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@testable import ApiCenter
import Lifecycle
import TestSupport
import Testing

@Suite("Warnings in reports", .waitLimit)
struct WarningTests {
    struct Quiet: Module {
        let version = "1.0.0"
        func register(in center: ApiCenter) {}
    }

    @Test("Without a second copy of ApiCenter, no report has a warning")
    func none() async throws {
        let host = try ModuleHost([Quiet()], center: ApiCenter())
        let preparation = await host.prepare()
        #expect(host.registration.warnings.isEmpty && preparation.warnings.isEmpty)
    }

    /// In a process of its own, because the finding concerns the whole process. ApiCenter's tests find real copies.
    @Test("A second copy of ApiCenter is a warning of the registration and of the preparation")
    func linkedTwice() async {
        await #expect(processExitsWith: .success) {
            let early = try ModuleHost([Quiet()], center: ApiCenter())
            // What a second copy does when it creates its first center.
            _ = LinkedCopies("linked twice")
            let late = try ModuleHost([Quiet()], center: ApiCenter())
            #expect(early.registration.failureLines.isEmpty)
            #expect(await early.prepare().failureLines == ["linked twice"])
            #expect(late.registration.failureLines == ["linked twice"])
            #expect(await late.send(.launch).failureLines.isEmpty)
        }
    }
}
#endif
