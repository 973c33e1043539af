import UserApi

/// User's IMP: an object, built once for everybody.
final class UserService: UserApiProtocol {
    func introduction() -> String { "I am User." }
}
