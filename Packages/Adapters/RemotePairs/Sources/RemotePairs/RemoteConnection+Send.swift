import GRPCCore

extension RemoteConnection {
    /// Sends a call, and sends it again when that is safe:
    ///
    /// - A stopping server refused the call before it reached the IMP.
    /// - The call has not left this process, because no connection was open. At most four attempts are made.
    /// - The connection broke before the answer arrived, and the call is repeatable. The call is sent at most four
    ///   times, and waits for a connection each time.
    ///
    /// gRPC's own retries are not enough: they give up if the broken connection has not been replaced yet.
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
                    // The next attempt reaches another server, or finds that this one is gone.
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
            // The pause is randomised, so that many callers do not reach a new server all at once.
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

    /// Whether the call or its answer may have been lost. A server cancels calls at the end of its grace period.
    fileprivate var isLoss: Bool { code == .unavailable || code == .cancelled && !Task.isCancelled }

    /// Whether the server has not called the IMP. An HTTP/2 server refuses streams on a closing connection without
    /// processing them (RFC 9113, section 8.7); gRPC reports this only in the error's message.
    fileprivate var isRefusal: Bool {
        metadata[stringValues: Self.refused].contains { _ in true }
            || message.contains("(0x7: refused stream)")
    }
}
