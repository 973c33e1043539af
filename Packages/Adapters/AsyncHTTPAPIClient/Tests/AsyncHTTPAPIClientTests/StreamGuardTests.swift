#if DEBUG
// Only a debug build allows @testable imports.
@testable import AsyncHTTPAPIClient
import NIOCore
import NIOEmbedded
import NIOHTTP2
import Testing

@Suite("The handlers of a new HTTP/2 stream")
struct StreamGuardTests {
    @Test("They are added at once, so that no connection closes before the stream has its request")
    func atOnce() throws {
        let channel = EmbeddedChannel(handler: HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: .https))
        var isDone = false
        // The event loop of the channel runs nothing that it is not told to run.
        ResponseGuard.guardStream(channel).assumeIsolated().whenSuccess { isDone = true }
        #expect(isDone)
        _ = try channel.pipeline.syncOperations.handler(type: ResponseGuard.self)
    }
}
#endif
