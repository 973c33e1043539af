import Dispatch
import Routes
import Synchronization
import TestSupport
import Testing

@Suite("Routes used by many threads", .waitLimit) struct RoutesThreadTests {
    @Test("Calls find exactly the registered routes while other threads add, remove, list and call routes")
    func everythingAtOnce() throws {
        let routes = Routes()
        for n in 0..<50 {
            try routes.addRoute("fixed/\(n)/:x", from: .outside) { .success($0.param("x", 0) + n) }
        }
        let done = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for n in 0..<200 {
                do {
                    #expect(routes.routeURL("fixed/\(n % 50)/1").value as? Int == n % 50 + 1)
                    #expect(routes.openUrl("fixed/\(n % 50)/x").value as? Int == n % 50)
                    let own = "own/\(thread)/:x(/y)"
                    try routes.addRoute(own) { .success($0.param("x", 0)) }
                    let answer = routes.routeURL("own/\(thread)/\(n)/y")
                    #expect(answer.value as? Int == n, "\(answer)")
                    #expect(routes.removeRoute(own))
                    #expect(!routes.canRoute("own/\(thread)/\(n)"))
                    do throws(RouteError) {
                        // All threads add the same shape: one succeeds, and the others get a conflict.
                        try routes.addRoute("shared(/:x)") { _ in .success(thread) }
                        #expect(routes.routeURL("shared").value as? Int == thread)
                        #expect(routes.removeRoute("shared(/:x)"))
                    } catch {
                        #expect(error.isConflict)
                    }
                    if n % 50 == 0 {
                        #expect(routes.allRoutes().count >= 50)
                        routes.setGuard { _ in nil }
                        routes.setNotFound { call, _ in .denied(call.requested) }
                    }
                    done.add(1, ordering: .relaxed)
                } catch {
                    Issue.record(error)
                }
            }
        }
        #expect(done.load(ordering: .relaxed) == 8 * 200)
    }
}
