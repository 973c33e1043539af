import ServiceOpenApi

/// ServiceOpen's IMP: an object, built once for everybody.
final class ServiceOpenService: ServiceOpenApiProtocol {
    func introduction() -> String { "I am ServiceOpen." }
}
