import ApiCenter
import Synchronization

/// Records calls between modules, with their call sites and their results. Thread-safe.
final class Trace: Sendable {
    /// A call from one module to another.
    struct Call: Sendable {
        let caller: String
        let api: String
        let site: CallSite
        /// The returned value; nil when the called module is left out of this build.
        let result: String?
    }

    /// The name of this module, which starts the conversations.
    private static let demo = #fileID.prefix { $0 != "/" }

    private let seen = Mutex<[ApiCall]>([])
    private let recorded = Mutex<[Call]>([])

    /// Starts to observe `center`.
    init(of center: ApiCenter) {
        center.setObserver { [weak self] call in self?.seen.withLock { $0.append(call) } }
    }

    var calls: [Call] { recorded.withLock { $0 } }

    /// Runs a conversation and records its calls with their answers.
    ///
    /// - Parameters:
    ///   - caller: The pair whose implementation makes the calls.
    ///   - conversation: Asks the implementation to call other modules, and returns the answers in the order
    ///     of the calls; nil when the pair is left out of this build.
    /// - Throws: ``Mismatch`` when the numbers of calls and answers differ.
    func record(caller: String, _ conversation: () -> [String?]?) throws(Mismatch) {
        seen.withLock { $0 = [] }
        guard let answers = conversation() else { return }
        let calls = seen.withLock { $0 }
        // The first call from a module other than this one identifies the implementation: the pair's own IMP
        // or an alternative.
        let caller = calls.first { $0.site.module != Self.demo }?.site.module ?? caller
        let made = calls.filter { $0.site.module == caller }
        guard made.count == answers.count else {
            throw Mismatch(caller: caller, made: made.map(\.site), told: answers.count)
        }
        recorded.withLock {
            $0 += zip(made, answers).map {
                Call(caller: caller, api: $0.api, site: $0.site, result: $1)
            }
        }
    }

    /// The error for a module whose number of answers differs from the number of its calls.
    struct Mismatch: Error, CustomStringConvertible {
        let caller: String
        let made: [CallSite]
        let told: Int

        var description: String {
            """
            \(caller) made \(made.count) calls (\(made.map(\.description).joined(separator: ", "))) and \
            returned \(told) answers. The trace shows each call with its answer, so askOthers() must return \
            one answer for each of its api(type:) calls, in the same order.
            """
        }
    }
}
