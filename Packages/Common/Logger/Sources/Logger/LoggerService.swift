import LoggerApi

/// Logger's IMP: an object, built once for everybody.
final class LoggerService: LoggerApiProtocol {
    func introduction() -> String { "I am Logger." }
}
