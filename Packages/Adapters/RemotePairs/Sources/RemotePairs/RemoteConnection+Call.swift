import Foundation
import GRPCCore

extension RemoteConnection {
    /// Calls a requirement and waits for its answer.
    ///
    /// - Throws: The error that the IMP threw, or a wrapped ``RemoteError`` if the call could not be completed.
    public func call<Value, Failure, each Argument>(
        _ call: RemoteCall<Value, Failure, repeat each Argument>, _ argument: repeat each Argument
    ) async throws(Failure) -> Value {
        let answer: Answer<Value, Failure>
        let measured = Measured(self, call.pair, call.descriptor)
        do {
            let request = try Wire.encode(
                Arguments(repeat each argument), as: "request", limit: options.maximumBytes)
            answer = try Wire.decode(
                try await send(request, call.pair, call.descriptor, isRepeatable: call.isRepeatable),
                as: "answer")
        } catch {
            let error = remote(error, call.pair, call.descriptor)
            measured.report(.failed(error))
            throw call.wrap(error)
        }
        measured.report(answer.outcome)
        return try answer.get()
    }

    /// Calls a requirement without a result.
    public func call<Failure, each Argument>(
        _ call: RemoteCall<RemoteVoid, Failure, repeat each Argument>, _ argument: repeat each Argument
    ) async throws(Failure) {
        let _: RemoteVoid = try await self.call(call, repeat each argument)
    }

    private func send(
        _ message: Data, _ pair: RemotePair, _ method: MethodDescriptor, isRepeatable: Bool
    ) async throws -> Data {
        let request = ClientRequest(message: message, metadata: headers(of: pair))
        guard isRepeatable else {
            return try await client.unary(
                request: request, descriptor: method, serializer: Bytes(), deserializer: Bytes(),
                options: once
            ) { try $0.message }
        }
        // While gRPC waits for a connection or before a repetition, it does not watch a repeated call's deadline.
        return try await withDeadline(options.deadline) {
            try await self.client.unary(
                request: request, descriptor: method, serializer: Bytes(), deserializer: Bytes(),
                options: self.repeatable
            ) { try $0.message }
        }
    }

    /// Returns the error that a caller gets for a failed call.
    func remote(_ error: any Error, _ pair: RemotePair, _ method: MethodDescriptor) -> RemoteError {
        var code = RemoteError.Code.unreachable
        var detail = String(describing: error)
        if let error = error as? RPCError { (code, detail) = (RemoteError.Code(error.code), error.text) }
        if Task.isCancelled, code != .deadline { code = .cancelled }
        if (error as? RuntimeError)?.code == .clientIsStopped {
            detail = "the connection was stopped before the call"
        }
        switch code {
        case .cancelled: detail = "the calling task was cancelled"
        case .deadline:
            detail = String(format: "no answer arrived within %g s", options.deadline / .seconds(1))
        case .notServed: detail = "the server does not serve this call"
        default: break
        }
        return RemoteError(
            pair: pair.name, method: method.method, address: addresses.description, code: code, detail: detail
        )
    }
}

/// Runs `body` for at most `limit`.
///
/// - Throws: The error of `body`, or an `RPCError` when the time is over.
func withDeadline<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw RPCError(code: .deadlineExceeded, message: "the deadline has passed")
        }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
