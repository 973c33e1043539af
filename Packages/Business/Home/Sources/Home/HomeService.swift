import HomeApi

/// Home's IMP: an object, built once for everybody.
final class HomeService: HomeApiProtocol {
    func introduction() -> String { "I am Home." }
}
