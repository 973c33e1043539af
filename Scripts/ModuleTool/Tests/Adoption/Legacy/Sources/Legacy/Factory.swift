/// A stand-in for Factory's container: it resolves services with properties.
public final class FactoryContainer {
    nonisolated(unsafe) public static let shared = FactoryContainer()

    /// What a property returns: a closure that can be called.
    public func callAsFunction<Service>(_ make: @escaping () -> Service) -> () -> Service { make }
}
