import Synchronization

/// The word that ``ApiCenter/api(type:fileID:line:)`` checks to choose its fast or slow path: zero if no
/// observer is set, no task has overrides, and no build chain is being recorded.
///
/// All operations are thread-safe.
struct Gate: ~Copyable, Sendable {
    private static let observer: UInt64 = 1
    private static let override: UInt64 = 1 << 1
    private static let chain: UInt64 = 1 << 32

    /// 64 bits on every platform: the `Int` of watchOS has 32, too few for two counters.
    private let word = Atomic<UInt64>(0)

    /// Relaxed ordering is enough: when a caller sets an observer or opens a scope, only its own later calls
    /// and the tasks that it starts are guaranteed to see the change.
    @inline(__always)
    var isClear: Bool { word.load(ordering: .relaxed) == 0 }

    var hasObserver: Bool { word.load(ordering: .relaxed) & Self.observer != 0 }
    var hasOverrides: Bool { word.load(ordering: .relaxed) & (Self.chain - Self.override) != 0 }

    func setObserver(_ isThere: Bool) {
        if isThere {
            word.bitwiseOr(Self.observer, ordering: .relaxed)
        } else {
            word.bitwiseAnd(~Self.observer, ordering: .relaxed)
        }
    }

    func openScope() { word.wrappingAdd(Self.override, ordering: .relaxed) }
    func closeScope() { word.wrappingSubtract(Self.override, ordering: .relaxed) }
    func beginChain() { word.wrappingAdd(Self.chain, ordering: .relaxed) }
    func endChain() { word.wrappingSubtract(Self.chain, ordering: .relaxed) }
}
