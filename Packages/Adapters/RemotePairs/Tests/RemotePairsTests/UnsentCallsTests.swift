import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import TestSupport
import Testing

// Only a debug build allows @testable imports.
@testable import RemotePairs

/// Tests the handler alone, because a test cannot otherwise hold a call back until its caller has given it up.
@Suite("Calls that leave the process", .waitLimit)
struct UnsentCallsTests {
    private let calls = UnsentCalls()
    private let stream = EmbeddedChannel()

    /// Writes the first frame of a call, and returns the frame's headers as they were sent.
    private func write(_ headers: (String, String)..., call: Int) throws -> HPACKHeaders? {
        try calls.watch(stream: stream).wait()
        var all = HPACKHeaders(headers)
        all.add(name: UnsentCalls.header, value: "\(call)")
        try stream.writeOutbound(HTTP2Frame.FramePayload.headers(.init(headers: all)))
        guard case .headers(let first) = try stream.readOutbound(as: HTTP2Frame.FramePayload.self) else {
            return nil
        }
        return first.headers
    }

    @Test("A call is written without its number")
    func written() throws {
        let call = calls.begin()
        #expect(try write((":path", "/Door/reset()"), call: call) == [":path": "/Door/reset()"])
        #expect(!calls.remove(call))
    }

    @Test("A call that its caller has given up is not written, because the caller may have sent it again")
    func givenUp() throws {
        let call = calls.begin()
        #expect(calls.remove(call))
        #expect(throws: ChannelError.self) { try write((":path", "/Door/reset()"), call: call) }
        #expect(try stream.readOutbound(as: HTTP2Frame.FramePayload.self) == nil)
    }

    @Test(
        "A timeout has at most seven digits",
        arguments: [
            ("98999000n", "99000u"), ("15000000u", "15001m"), ("10000000m", "10001S"),
            ("9999999u", "9999999u"),
            ("10S", "10S"),
        ])
    func timeouts(before: String, after: String) throws {
        #expect(try write(("grpc-timeout", before), call: calls.begin()) == ["grpc-timeout": after])
    }
}
