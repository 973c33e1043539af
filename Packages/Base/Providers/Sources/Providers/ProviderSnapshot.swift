/// What a ``Providers`` holds at one moment. Never changed: an addition or a removal makes the next one.
@usableFromInline
final class ProviderSnapshot<P: Sendable>: Sendable {
    /// In the order in which they were added.
    @usableFromInline let registered: [Provider<P>]

    /// The highest priority first; equal ones in the order in which they were added.
    @usableFromInline let ranked: [Provider<P>]

    @usableFromInline let condition: ProviderCondition<P>?

    init(registered: [Provider<P>], ranked: [Provider<P>], condition: ProviderCondition<P>?) {
        self.registered = registered
        self.ranked = ranked
        self.condition = condition
    }

    /// With one more. Complexity: O(*n*).
    func adding(_ provider: Provider<P>) -> ProviderSnapshot {
        var ranked = ranked
        let place = ranked.firstIndex { $0.priority < provider.priority } ?? ranked.endIndex
        ranked.insert(provider, at: place)
        return ProviderSnapshot(registered: registered + [provider], ranked: ranked, condition: condition)
    }

    /// Without that one; nil when it is not here. Complexity: O(*n*).
    func removing(_ handle: ProviderHandle) -> ProviderSnapshot? {
        guard registered.contains(where: { $0.handle === handle }) else { return nil }
        return ProviderSnapshot(
            registered: registered.filter { $0.handle !== handle },
            ranked: ranked.filter { $0.handle !== handle }, condition: condition)
    }

    /// The best that fits the injected condition and is accepted by the caller.
    @inlinable
    func best(where accepts: (Provider<P>) -> Bool) -> Provider<P>? {
        guard let condition else { return ranked.firstInPlace(where: accepts) }
        return condition.first(ranked, accepts)
    }

    /// All that fit the injected condition and are accepted by the caller, the best first.
    @inlinable
    func fitting(where accepts: (Provider<P>) -> Bool) -> [Provider<P>] {
        guard let condition else { return ranked.filter(accepts) }
        var fitting: [Provider<P>] = []
        _ = condition.first(ranked) { provider in
            if accepts(provider) { fitting.append(provider) }
            return false
        }
        return fitting
    }
}

extension Array {
    /// `first(where:)` that copies only the one it returns; measured, it halves the time of a pick among three.
    @inlinable
    func firstInPlace(where accepts: (Element) -> Bool) -> Element? {
        for index in indices where accepts(self[index]) { return self[index] }
        return nil
    }
}
