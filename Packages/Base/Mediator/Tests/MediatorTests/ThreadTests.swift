import Dispatch
import Links
import Mediator
import Synchronization
import TestSupport
import Testing

@Suite("A mediator used by many threads", .waitLimit) struct MediatorThreadTests {
    @Test("Every call returns the right result while other threads call, install, remove and release targets")
    func everythingAtOnce() throws {
        let mediator = Mediator()
        let answered = Atomic(0)
        let made = LinkTarget("made") { "n" }
        try mediator.install([
            .action("fixed", "a", from: .outside) { params in params["n"] },
            made.action("a") { key, params in params[key] },
        ])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for n in 0..<400 {
                do {
                    switch n % 4 {
                    case 0:
                        let name = "own\(thread)"
                        try mediator.install([.action(name, "a") { $0["n"] }])
                        let result = try mediator.performTarget(
                            name, action: "a", params: ["n": n], as: Int.self)
                        #expect(result == n)
                        #expect(mediator.remove(target: name))
                    case 1:
                        let result = try mediator.performTarget(
                            "made", action: "a", params: ["n": n], shouldCacheTarget: thread % 2 == 0,
                            as: Int.self)
                        #expect(result == n)
                        if thread == 1 { mediator.releaseCachedTarget("made") }
                    case 2:
                        #expect(try mediator.openUrl("app://fixed/a?n=\(n)") as? String == "\(n)")
                        mediator.setGuard { _ in nil }
                    default:
                        // All threads install the same target; calls must never see a partly installed target.
                        do throws(MediatorError) {
                            try mediator.install([
                                .action("shared", "a") { _ in 1 }, .action("shared", "b") { _ in 2 },
                            ])
                        } catch {
                            guard case .conflict = error.reason else { throw error }
                        }
                        do {
                            #expect(try mediator.performTarget("shared", action: "b") as? Int == 2)
                        } catch let error as MediatorError {
                            #expect(error.reason == .targetNotFound)
                        }
                        mediator.remove(target: "shared")
                    }
                    answered.add(1, ordering: .relaxed)
                } catch {
                    Issue.record(error)
                }
            }
        }
        #expect(answered.load(ordering: .relaxed) == 8 * 400)
    }
}
