import APITransport
import TestSupport
import Testing

@Suite("The task of an exchange in an async function", .waitLimit)
struct APIStreamTaskTests {
    @Test("Cancelling an exchange cancels the task of its work")
    func cancelled() async {
        let (started, cancelled) = (Door(), Door())
        let task = APIStreamTask({ _ in }) { _ in
            started.open()
            for await _ in AsyncStream<Never>.makeStream().stream {}
            cancelled.open()
        }
        task.resume()
        await started.pass()
        task.cancel()
        await cancelled.pass()
    }
}
