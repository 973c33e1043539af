#if os(Linux)
import ApiCenter
import Foundation
import Testing

/// Runs only on Linux. Apple platforms also lend a lock's owner the priority of the waiting threads, but a test cannot
/// observe the lent priority there.
@Suite("The priority of builders")
struct PriorityTests {
    /// Gives the calling thread a real-time priority. Returns false if the system does not allow this priority.
    private static func becomeUrgent() -> Bool {
        var parameters = sched_param()
        parameters.sched_priority = 1
        return unsafe pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0
    }

    /// Whether the calling thread runs with a real-time priority, either its own or a lent one.
    private static var isUrgent: Bool {
        // The command is in parentheses. The 16th field after the command is the priority, which is negative for
        // real-time threads.
        let stat = (try? String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)) ?? ""
        let numbers = stat.split(separator: ")").last?.split(separator: " ") ?? []
        return numbers.count > 15 && numbers[15].hasPrefix("-")
    }

    /// Whether the system allows a real-time priority. The check raises the priority of a short-lived thread.
    private static let allowsUrgency: Bool = {
        let answer = Shared(false)
        Thread.race(1) { _ in answer.update { $0 = becomeUrgent() } }
        return answer.value
    }()

    @Test(
        "A thread that builds a `once` value runs with the priority of a thread that waits for the value",
        .enabled(if: allowsUrgency, "the system does not allow real-time priorities here"))
    func donation() {
        let center = ApiCenter()
        let isInside = Shared(false), wasUrgent = Shared(false), isUrgentBefore = Shared(true)
        center.registerApi(
            type: Numbering.self,
            impBuilder: once {
                isUrgentBefore.update { $0 = Self.isUrgent }
                isInside.update { $0 = true }
                // If the builder is not lent the waiting thread's priority, the loop ends after ten seconds and
                // the test fails.
                let clock = ContinuousClock()
                let end = clock.now + .seconds(10)
                while !Self.isUrgent, clock.now < end { Thread.yield() }
                wasUrgent.update { $0 = Self.isUrgent }
                return Number(number: 1)
            })
        Thread.race(2) { thread in
            if thread == 1 {
                Thread.wait(for: "the builder") { isInside.value }
                #expect(Self.becomeUrgent())
            }
            #expect(center.api(type: Numbering.self)?.number == 1)
        }
        #expect(!isUrgentBefore.value)
        #expect(wasUrgent.value)
    }
}
#endif
