import AsyncAlgorithms
import Foundation
import GRPCCore

extension RemoteConnection {
    /// Calls a requirement that returns a stream, and waits until the server has opened it.
    ///
    /// The server produces elements only as fast as they are read, apart from 512 KiB and 64 elements in buffers. It
    /// stops producing when the returned stream is released or its reader is cancelled.
    ///
    /// - Throws: If the IMP throws instead of returning a stream, its error; if the call fails, a ``RemoteError`` wrapped
    ///   as a `Failure`. The returned stream throws the error of the IMP's stream if this error is a `Failure`, and
    ///   otherwise a ``RemoteError``.
    public func stream<Value, Failure, each Argument>(
        _ call: RemoteCall<Value, Failure, repeat each Argument>, _ argument: repeat each Argument
    ) async throws(Failure) -> AsyncThrowingStream<Value, any Error> {
        let opened: Answer<RemoteVoid, Failure>
        let reader: StreamReader
        let measured = Measured(self, call.pair, call.descriptor)
        do {
            let request = try Wire.encode(
                Arguments(repeat each argument), as: "request", limit: options.maximumBytes)
            let first: Data
            (reader, first) = try await withDeadline(options.deadline) {
                try await self.sending(self.stream, call.pair, isRepeatable: false) { options, headers in
                    let request = ClientRequest(message: request, metadata: headers)
                    let reader = StreamReader(self, request, call.descriptor, options)
                    guard let first = try await reader.next() else {
                        throw RPCError(
                            code: .dataLoss, message: "the stream ended before the server had opened it")
                    }
                    return (reader, first)
                }
            }
            opened = try Wire.decode(first, as: "answer")
        } catch {
            let error = remote(error, call.pair, call.descriptor)
            measured.report(.failed(error))
            throw call.wrap(error)
        }
        measured.report(opened.outcome)
        _ = try opened.get()
        return AsyncThrowingStream {
            let element: Answer<Value, Failure>
            do {
                guard let data = try await reader.next() else { return nil }
                element = try Wire.decode(data, as: "element")
            } catch {
                throw self.remote(error, call.pair, call.descriptor)
            }
            return try element.get()
        }
    }
}

/// The messages of one stream. Releasing the reader cancels the call.
private final class StreamReader: Sendable {
    /// Passes each message from gRPC's task to the reader's task. gRPC reads the next message only after the reader has
    /// taken this one.
    private let messages = AsyncThrowingChannel<Data, any Error>()
    private let task: Task<Void, Never>

    init(
        _ connection: RemoteConnection, _ request: ClientRequest<Data>, _ method: MethodDescriptor,
        _ options: CallOptions
    ) {
        task = Task { [messages] in
            do {
                try await connection.client.serverStreaming(
                    request: request, descriptor: method, serializer: Bytes(), deserializer: Bytes(),
                    options: options
                ) { response in
                    for try await message in response.messages { await messages.send(message) }
                }
                messages.finish()
            } catch {
                messages.fail(error)
            }
        }
    }

    deinit { task.cancel() }

    func next() async throws -> Data? {
        var iterator = messages.makeAsyncIterator()
        return try await withTaskCancellationHandler {
            try await iterator.next()
        } onCancel: {
            task.cancel()
        }
    }
}

/// Runs `body` for at most `limit`.
///
/// - Throws: The error of `body`, or an `RPCError` when the limit has passed.
private func withDeadline<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw RPCError(code: .deadlineExceeded, message: "")
        }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
