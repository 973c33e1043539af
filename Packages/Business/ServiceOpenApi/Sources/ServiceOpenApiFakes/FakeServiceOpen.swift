import ServiceOpenApi
import Synchronization

/// A ServiceOpen for tests, which is open or closed for everybody. Thread-safe.
public final class FakeServiceOpen: ServiceOpenApiProtocol {
    private let state: Mutex<Bool>

    /// Creates a service.
    public init(isOpen: Bool = true) { state = Mutex(isOpen) }

    /// Whether the service is open, which the test may change at any time.
    public var isOpen: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    public func agreeToTerms() {}

    public func open() { isOpen = true }
}
