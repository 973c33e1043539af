/// The immutable contents of a ``Providers`` set. Adding or removing a provider creates a new snapshot.
@usableFromInline
final class ProviderSnapshot<P: Sendable>: Sendable {
    /// The providers in the order in which they were added.
    @usableFromInline let registered: [Provider<P>]

    /// The providers by descending priority; for equal priorities, in the order in which they were added.
    @usableFromInline let ranked: [Provider<P>]

    @usableFromInline let condition: ProviderCondition<P>?

    init(registered: [Provider<P>], ranked: [Provider<P>], condition: ProviderCondition<P>?) {
        self.registered = registered
        self.ranked = ranked
        self.condition = condition
    }

    /// Returns a snapshot with one more provider. Complexity: O(*n*).
    func adding(_ provider: Provider<P>) -> ProviderSnapshot {
        var ranked = ranked
        let place = ranked.firstIndex { $0.priority < provider.priority } ?? ranked.endIndex
        ranked.insert(provider, at: place)
        return ProviderSnapshot(registered: registered + [provider], ranked: ranked, condition: condition)
    }

    /// Returns a snapshot without one provider, or nil if the provider is not in this one. Complexity: O(*n*).
    func removing(_ handle: ProviderHandle) -> ProviderSnapshot? {
        guard registered.contains(where: { $0.handle === handle }) else { return nil }
        return ProviderSnapshot(
            registered: registered.filter { $0.handle !== handle },
            ranked: ranked.filter { $0.handle !== handle }, condition: condition)
    }

    /// The best provider that satisfies the injected condition and the caller's condition.
    @inlinable
    func best(where accepts: (Provider<P>) -> Bool) -> Provider<P>? {
        guard let condition else { return ranked.firstInPlace(where: accepts) }
        return condition.first(ranked, accepts)
    }

    /// All providers that satisfy the injected condition and the caller's condition, the best first.
    @inlinable
    func fitting(where accepts: (Provider<P>) -> Bool) -> [Provider<P>] {
        guard let condition else { return ranked.filter(accepts) }
        var fitting: [Provider<P>] = []
        // The closure never accepts a provider, so the condition is evaluated for all of them.
        _ = condition.first(ranked) { provider in
            if accepts(provider) { fitting.append(provider) }
            return false
        }
        return fitting
    }
}

extension Array {
    /// Like `first(where:)`, but copies only the element that it returns.
    ///
    /// In a measurement, this halved the time of a pick among three providers.
    @inlinable
    func firstInPlace(where accepts: (Element) -> Bool) -> Element? {
        for index in indices where accepts(self[index]) { return self[index] }
        return nil
    }
}
