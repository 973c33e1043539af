import Synchronization

/// The one word that the normal path of ``ApiCenter/api(type:fileID:line:)`` looks at: zero when there is
/// neither an observer, nor an override in any task, nor a build whose chain is being followed.
///
/// All operations are safe from every thread.
struct Gate: ~Copyable, Sendable {
    private static let observer: UInt = 1
    private static let override: UInt = 1 << 1
    private static let chain: UInt = 1 << 32

    private let word = Atomic<UInt>(0)

    /// Relaxed is enough: whoever sets an observer or opens a scope and then asks, or starts a task that
    /// asks, is ordered by its own program; nobody else has been promised anything.
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
