import JourneyApi

/// Journey's IMP: an object, built once for everybody.
final class JourneyService: JourneyApiProtocol {
    func introduction() -> String { "I am Journey." }
}
