import SDKManagerApi

/// SDKManager's IMP: an object, built once for everybody.
final class SDKManagerService: SDKManagerApiProtocol {
    func introduction() -> String { "I am SDKManager." }
}
