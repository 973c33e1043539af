import ApiCenter
import Lifecycle
import UserApi

/// Registers User. The package's only public declaration.
public struct UserModule: Module {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.registerApi(type: UserApiProtocol.self, impBuilder: once { UserService() })
    }
}
