#if DEBUG
// Only a debug build allows @testable imports.
@testable import AsyncHTTPAPIClient
import NIOCore
import NIOEmbedded
import NIOHTTP2
import TestSupport
import Testing

/// Tests the handler alone in an embedded channel, whose clock advances only on request.
@Suite("Resets of HTTP/2 streams", .waitLimit)
struct HTTP2ResetsTests {
    private let channel = EmbeddedChannel(handler: HTTP2Resets())

    /// Describes the frames that were sent since the last call.
    private func sent() throws -> [String] {
        var words: [String] = []
        while let frame = try channel.readOutbound(as: HTTP2Frame.self) {
            switch frame.payload {
            case .rstStream: words.append("\(Int(frame.streamID))")
            case .ping(let data, ack: false): words.append("ping \(data.integer)")
            default: words.append("another")
            }
        }
        return words
    }

    private func reset(_ streams: some Sequence<Int>) {
        for stream in streams {
            channel.write(
                HTTP2Frame(streamID: HTTP2StreamID(stream), payload: .rstStream(.cancel)), promise: nil)
        }
        channel.flush()
    }

    private func answer(_ ping: UInt64) throws {
        try channel.writeInbound(
            HTTP2Frame(
                streamID: .rootStream, payload: .ping(HTTP2PingData(withInteger: ping), ack: true)))
    }

    private func words(_ streams: some Sequence<Int>) -> [String] { streams.map { "\($0)" } }

    @Test("Sixteen resets are sent immediately, and the others wait until the server acknowledges a ping")
    func waiting() throws {
        reset(1...40)
        #expect(try sent() == words(1...16) + ["ping 1"])
        reset(41...42)
        #expect(try sent() == [])
        try answer(1)
        #expect(try sent() == words(17...32) + ["ping 2"])
        try answer(2)
        #expect(try sent() == words(33...42))
        reset(43...50)
        #expect(try sent() == words(43...48) + ["ping 3"])
    }

    @Test("Up to sixteen resets are sent without a ping, and other frames are never held back")
    func passing() throws {
        reset(1...16)
        #expect(try sent() == words(1...16))
        reset([17])
        #expect(try sent() == ["ping 1"])
        channel.write(HTTP2Frame(streamID: 19, payload: .windowUpdate(windowSizeIncrement: 1)), promise: nil)
        channel.flush()
        #expect(try sent() == ["another"])
    }

    @Test("The server's pings and acknowledgements of earlier pings are forwarded and release no resets")
    func otherPings() throws {
        reset(1...40)
        try answer(1)
        _ = try sent()
        try answer(1)
        try channel.writeInbound(
            HTTP2Frame(streamID: .rootStream, payload: .ping(HTTP2PingData(withInteger: 2), ack: false)))
        #expect(try sent() == [])
        for _ in 1...3 { #expect(try channel.readInbound(as: HTTP2Frame.self) != nil) }
    }

    @Test("Resets wait at most ten seconds for a server that does not acknowledge a ping")
    func silence() throws {
        reset(1...40)
        _ = try sent()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(9_999))
        #expect(try sent() == [])
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(try sent() == words(17...40))
        // The acknowledgement of a ping cancels its timeout.
        reset(41...60)
        #expect(try sent() == words(41...56) + ["ping 2"])
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        try answer(2)
        reset(61...90)
        #expect(try sent() == words(57...72) + ["ping 3"])
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(9_999))
        #expect(try sent() == [])
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(try sent() == words(73...90))
    }

    @Test("A stream that closes while its reset waits is not reset")
    func closed() throws {
        reset(1...16)
        let dropped = channel.write(HTTP2Frame(streamID: 17, payload: .rstStream(.cancel)))
        reset([18])
        channel.pipeline.fireUserInboundEventTriggered(StreamClosedEvent(streamID: 17, reason: nil))
        try dropped.wait()
        try answer(1)
        #expect(try sent() == words(1...16) + ["ping 1", "18"])
    }

    @Test("When the connection closes, the promises of waiting resets succeed")
    func end() throws {
        reset(1...16)
        let dropped = channel.write(HTTP2Frame(streamID: 17, payload: .rstStream(.cancel)))
        _ = try channel.finish()
        try dropped.wait()
    }
}
#endif
