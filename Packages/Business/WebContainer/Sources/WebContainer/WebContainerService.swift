import WebContainerApi

/// WebContainer's IMP: an object, built once for everybody.
final class WebContainerService: WebContainerApiProtocol {
    func introduction() -> String { "I am WebContainer." }
}
