/// A stand-in for Swinject's container: it resolves services by type, with factories that receive the
/// container.
public final class Container {
    private var factories: [ObjectIdentifier: (Container) -> Any] = [:]

    public init() {}

    public func register<Service>(_ service: Service.Type, _ factory: @escaping (Container) -> Service) {
        factories[ObjectIdentifier(service)] = factory
    }

    public func resolve<Service>(_ service: Service.Type) -> Service? {
        factories[ObjectIdentifier(service)]?(self) as? Service
    }
}
