/// A stand-in for Factory's container: it resolves services with properties.
public final class FactoryContainer {
    nonisolated(unsafe) public static let shared = FactoryContainer()

    /// Returns the value of a property: a closure that makes the service.
    public func callAsFunction<Service>(_ make: @escaping () -> Service) -> () -> Service { make }
}
