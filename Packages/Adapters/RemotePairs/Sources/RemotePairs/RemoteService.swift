import Foundation
import GRPCCore

/// The calls of one pair, which a ``RemoteServer`` serves. A generated package creates this value.
public struct RemoteService: Sendable {
    /// Answers one call with messages of at most `limit` bytes, and returns the outcome.
    enum Handler: Sendable {
        case unary(@Sendable (_ request: Data, _ limit: Int) async throws -> (Data, RemoteCallRecord.Outcome))
        case stream(
            @Sendable (_ request: Data, _ limit: Int, _ writer: RPCWriter<Data>) async throws ->
                RemoteCallRecord.Outcome)
    }

    let pair: RemotePair
    private(set) var handlers: [(method: MethodDescriptor, handler: Handler)] = []

    public init(_ pair: RemotePair) { self.pair = pair }

    /// Adds a requirement with a result.
    public mutating func add<Value, Failure, Thrown, each Argument>(
        _ call: RemoteCall<Value, Failure, repeat each Argument>,
        _ requirement: @escaping @Sendable (repeat each Argument) async throws(Thrown) -> Value
    ) {
        handlers.append(
            (
                call.descriptor,
                .unary { request, limit in
                    let arguments: Arguments<repeat each Argument> = try Wire.decode(request, as: "request")
                    let answer: Answer<Value, Failure>
                    do {
                        answer = .value(try await requirement(repeat each arguments.values))
                    } catch {
                        answer = .error(try Self.declared(error))
                    }
                    return (try Wire.encode(answer, as: "answer", limit: limit), answer.outcome)
                }
            ))
    }

    /// Adds a requirement without a result.
    public mutating func add<Failure, Thrown, each Argument>(
        _ call: RemoteCall<RemoteVoid, Failure, repeat each Argument>,
        _ requirement: @escaping @Sendable (repeat each Argument) async throws(Thrown) -> Void
    ) {
        add(call) { (argument: repeat each Argument) async throws(Thrown) -> RemoteVoid in
            try await requirement(repeat each argument)
            return RemoteVoid()
        }
    }

    /// Adds a requirement that returns a stream.
    public mutating func addStream<Value, Failure, Thrown, each Argument>(
        _ call: RemoteCall<Value, Failure, repeat each Argument>,
        _ requirement:
            @escaping @Sendable (repeat each Argument) async throws(Thrown) ->
            AsyncThrowingStream<Value, any Error>
    ) {
        typealias Element = Answer<Value, Failure>
        handlers.append(
            (
                call.descriptor,
                .stream { request, limit, writer in
                    let arguments: Arguments<repeat each Argument> = try Wire.decode(request, as: "request")
                    do {
                        let elements = try await requirement(repeat each arguments.values)
                        let opened = Answer<RemoteVoid, Failure>.value(RemoteVoid())
                        try await writer.write(try Wire.encode(opened, as: "answer", limit: limit))
                        var count = 0
                        for try await element in elements {
                            try await writer.write(
                                try Wire.encode(Element.value(element), as: "element", limit: limit))
                            count += 1
                            // Without this pause, writing would not wait for a slow reader.
                            if count.isMultiple(of: 64) { await RemoteServer.settle() }
                        }
                        return .value
                    } catch let error as RPCError {
                        throw error
                    } catch {
                        let answer = Element.error(try Self.declared(error))
                        try await writer.write(try Wire.encode(answer, as: "answer", limit: limit))
                        return answer.outcome
                    }
                }
            ))
    }

    /// Returns the error if the Api declares it.
    ///
    /// - Throws: An `RPCError` for any other error. The text is sent in a header, so it is cut off after 1000 bytes.
    private static func declared<Failure: Error>(_ error: any Error) throws(RPCError) -> Failure {
        if let error = error as? Failure { return error }
        if Task.isCancelled { throw RPCError(code: .cancelled, message: "the server cancelled the call") }
        let text = String(decoding: String(describing: error).utf8.prefix(1000), as: UTF8.self)
        throw RPCError(code: .unknown, message: "the IMP threw \(text)")
    }
}
