/// What a ``Providers`` holds at one moment. Never changed: an addition or a removal makes the next one.
final class ProviderSnapshot<P: Sendable>: Sendable {
    /// In the order in which they were added.
    let registered: [Provider<P>]

    /// The highest priority first; equal ones in the order in which they were added.
    let ranked: [Provider<P>]

    let condition: ProviderCondition<P>?

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
    func best(where accepts: (Provider<P>) -> Bool) -> Provider<P>? {
        guard let condition else { return ranked.first(where: accepts) }
        return condition.first(ranked, accepts)
    }

    /// All that fit the injected condition and are accepted by the caller, the best first.
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
