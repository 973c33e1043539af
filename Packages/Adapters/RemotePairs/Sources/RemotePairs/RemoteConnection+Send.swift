import GRPCCore

extension RemoteConnection {
    /// Sends a call, and sends it again when that is safe:
    ///
    /// - A stopping server refused it, before it called the IMP.
    /// - It has not left this process, because no connection was open. It is tried four times.
    /// - The connection broke before the answer arrived, and the call is repeatable. It is sent four times at most, and
    ///   waits for connections.
    ///
    /// gRPC's own retries give up if the broken connection has not been replaced yet.
    ///
    /// - Parameter send: Makes one attempt with these options and headers.
    /// - Throws: ``NotCarriedOut`` if the IMP cannot have been called.
    func sending<Value>(
        _ options: CallOptions, _ pair: RemotePair, isRepeatable: Bool,
        _ send: (CallOptions, Metadata) async throws -> Value
    ) async throws -> Value {
        let deadline = ContinuousClock.now + self.options.deadline
        let headers = headers(of: pair)
        var options = options
        var (lost, unsent) = (0, 0)
        var pause = Duration.milliseconds(100)
        var cause = ""
        while true {
            let number = unsentCalls.begin()
            defer { unsentCalls.remove(number) }
            var headers = headers
            headers.addString(String(number), forKey: UnsentCalls.header)
            do {
                return try await send(options, headers)
            } catch let error as RPCError where error.isLoss {
                let isUnsent = unsentCalls.remove(number)
                if error.isRefusal {
                    // The next attempt finds another server, or that this one is gone.
                } else if isUnsent {
                    unsent += 1
                    guard lost > 0 || unsent < 4 else { throw NotCarriedOut(cause: error) }
                } else {
                    lost += 1
                    guard isRepeatable, lost < 4 else { throw error }
                }
                cause = error.text
            } catch let error as RPCError where error.code == .deadlineExceeded {
                throw failure(.deadlineExceeded, cause, isSent: !unsentCalls.remove(number) || lost > 0)
            } catch let error as RuntimeError where error.code == .clientIsStopped {
                throw failure(
                    .unavailable, "the connection was stopped before the call", isSent: lost > 0)
            }
            // The pauses of many callers differ, so that they do not all meet a new server at once.
            let end = ContinuousClock.now + pause * Double.random(in: 1...1.5)
            try await Task.sleep(until: min(end, deadline), clock: .continuous)
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw failure(.deadlineExceeded, cause, isSent: lost > 0) }
            pause = min(pause * 2, .seconds(1))
            options.waitForReady = lost > 0
            if options.timeout != nil { options.timeout = left }
        }
    }

    private func failure(_ code: RPCError.Code, _ message: String, isSent: Bool) -> any Error {
        let error = RPCError(code: code, message: message)
        return isSent ? error : NotCarriedOut(cause: error)
    }
}

/// The error of a call that has not left this process, or that stopping servers have refused.
struct NotCarriedOut: Error {
    let cause: RPCError
}

extension RPCError {
    static let refused = "pair-refused"

    /// Tells the caller that the server is stopping and has not called the IMP.
    static let refusal = RPCError(
        code: .unavailable, message: "the server is stopping", metadata: [refused: "stopping"])

    /// Whether the call may have been lost, and not answered. A server cancels calls at the end of its grace period.
    fileprivate var isLoss: Bool { code == .unavailable || code == .cancelled && !Task.isCancelled }

    /// Whether the server has not called the IMP. HTTP/2 servers refuse streams on closing connections unread
    /// (RFC 9113, section 8.7); gRPC mentions that only in its message.
    fileprivate var isRefusal: Bool {
        metadata[stringValues: Self.refused].contains { _ in true }
            || message.contains("(0x7: refused stream)")
    }
}
