import TestSupport
import Testing
import UserApi

@testable import User

@Suite("The streams of sessions", .waitLimit)
struct SessionStreamsTests {
    @Test(
        "A stream gets a session once, although another stream opens and a change leaves the session as it was"
    )
    func once() async {
        var streams: SessionStreams? = SessionStreams { UserSession(id: "7", name: "Ann") }
        let stream = streams?.stream()
        var sessions = stream?.makeAsyncIterator()
        #expect(await sessions?.next()??.name == "Ann")
        _ = streams?.stream()
        streams?.send()
        // The end of the streams comes after all that they have got.
        streams = nil
        #expect(await sessions?.next() == nil)
    }
}
