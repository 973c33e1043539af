import ApiCenter
import Synchronization

/// The calls that modules make across module borders, with where they stand and what came back.
final class Trace: Sendable {
    /// A call of one module into another.
    struct Call: Sendable {
        let caller: String
        let api: String
        let site: CallSite
        /// What came back; nil when the other module is not in this build.
        let result: String?
    }

    /// The module that asks for the conversations.
    private static let own = #fileID.prefix { $0 != "/" }

    private let seen = Mutex<[ApiCall]>([])
    private let recorded = Mutex<[Call]>([])

    /// Begins to observe `center`.
    init(of center: ApiCenter) {
        center.setObserver { [weak self] call in self?.seen.withLock { $0.append(call) } }
    }

    var calls: [Call] { recorded.withLock { $0 } }

    /// Runs a conversation of a pair that returns the answers to the calls of whoever answers for the pair, in
    /// their order, and records both.
    ///
    /// - Throws: ``Mismatch`` when it tells of more calls, or fewer, than it made.
    func record(caller: String, _ conversation: () -> [String?]?) throws(Mismatch) {
        seen.withLock { $0 = [] }
        guard let answers = conversation() else { return }
        let calls = seen.withLock { $0 }
        // Whoever answers calls first: the pair's own IMP, or an alternative in its place.
        let caller = calls.first { $0.site.module != Self.own }?.site.module ?? caller
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

    /// A module whose calls cannot be told apart by its answers.
    struct Mismatch: Error, CustomStringConvertible {
        let caller: String
        let made: [CallSite]
        let told: Int

        var description: String {
            """
            \(caller) made \(made.count) calls (\(made.map(\.description).joined(separator: ", "))) and \
            returned \(told) answers. The trace shows each call with its answer, so askOthers() has to return \
            one for each api(type:) in it, in their order.
            """
        }
    }
}
