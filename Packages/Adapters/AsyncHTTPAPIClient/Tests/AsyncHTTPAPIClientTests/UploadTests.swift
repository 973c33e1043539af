import APIService
import APIServiceTesting
import APITransfers
import APITransport
import AsyncHTTPAPIClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import TestSupport
import Testing

@Suite("Uploads of async sequences", .timeLimit(.minutes(10)), .waitLimit)
struct UploadTests {
    /// Reports the pieces of a request's body, and responds with 200 when the body ends.
    private final class Server: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        let pieces: AsyncStream<Int>.Continuation

        init(_ pieces: AsyncStream<Int>.Continuation) { self.pieces = pieces }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: break
            case .body(let piece): pieces.yield(piece.readableBytes)
            case .end:
                let head = HTTPResponseHead(
                    version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }

    private struct Upload: APIRequest {
        typealias Response = APIEmpty
        let baseURL: URL
        let path = "/"
        let method = APIRequestMethod.post
        let taskType: APIRequestTaskType
    }

    /// A sequence that returns the first piece immediately, and the second when the server has received the first.
    private struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let received: AsyncStream<Int>
        var number = 0

        func makeAsyncIterator() -> Self { self }

        mutating func next() async -> Data? {
            number += 1
            switch number {
            case 1: break
            case 2: for await _ in received { break }
            default: return nil
            }
            return Data(count: 1_000)
        }
    }

    @Test("A piece is sent before the sequence has ended", arguments: [nil, 2_000] as [Int64?])
    func streamed(length: Int64?) async throws {
        let (received, continuation) = AsyncStream<Int>.makeStream()
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Server(continuation))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        let service = APIService(client: AsyncHTTPAPIClient(), config: .forTests())
        let upload = Upload(
            baseURL: try #require(URL(string: "http://127.0.0.1:\(port)")),
            taskType: .upload(.stream(length: length) { Pieces(received: received) }))
        let response = await service.response(to: upload)
        try await channel.close()
        #expect(response.response?.statusCode == 200)
    }
}
