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
        try await sending(unary, pair, isRepeatable: isRepeatable) { options, headers in
            try await client.unary(
                request: ClientRequest(message: message, metadata: headers), descriptor: method,
                serializer: Bytes(), deserializer: Bytes(), options: options
            ) { try $0.message }
        }
    }

    /// Returns the error that a caller gets for a failed call.
    func remote(_ error: any Error, _ pair: RemotePair, _ method: MethodDescriptor) -> RemoteError {
        let isLost = !(error is NotCarriedOut)
        let error = (error as? NotCarriedOut)?.cause ?? error
        var code = RemoteError.Code.unreachable
        var detail = String(describing: error)
        if let error = error as? RPCError { (code, detail) = (RemoteError.Code(error.code), error.text) }
        // A server can cancel a call too.
        if code == .cancelled { code = .unreachable }
        if Task.isCancelled, code != .deadline { code = .cancelled }
        switch code {
        case .cancelled: detail = "the calling task was cancelled"
        case .deadline:
            let cause = (error as? RPCError)?.message ?? ""
            detail =
                String(format: "no answer arrived within %g s", options.deadline / .seconds(1))
                + (cause.isEmpty ? "" : ", because \(cause)")
        case .notServed: detail = "the server does not serve this call"
        default: break
        }
        if [.unreachable, .deadline, .cancelled].contains(code) {
            detail +=
                (detail.hasSuffix(".") ? "" : ".")
                + (isLost ? " The server may have carried out the call." : " The call was not carried out.")
        }
        return RemoteError(
            pair: pair.name, method: method.requirement, address: addresses.description, code: code,
            detail: detail
        )
    }
}
