import GRPCCore

/// A call to a pair in another process failed for a reason that is not the Api's.
public struct RemoteError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Codable, Sendable, CaseIterable {
        /// No server could be reached, or the connection broke before the answer arrived.
        case unreachable
        /// The deadline passed before the answer arrived.
        case deadline
        /// The calling task was cancelled.
        case cancelled
        /// The versions of caller and server do not fit together.
        case version
        /// The server does not serve the pair, or not this requirement.
        case notServed
        /// The arguments or the answer are larger than the limit.
        case tooLarge
        /// The arguments or the answer cannot be encoded or decoded.
        case malformed
        /// The IMP threw an error that the requirement does not declare.
        case failed
    }

    /// The pair that was called, such as `Gate`.
    public let pair: String
    /// The requirement that was called, such as `code(for:)`.
    public let method: String
    /// The addresses that the connection was given.
    public let address: String
    public let code: Code
    /// What happened, in words of the network or of the server. If no answer arrived, the last sentence says whether the
    /// server may have carried out the call.
    public let detail: String

    public init(pair: String, method: String, address: String, code: Code, detail: String) {
        (self.pair, self.method, self.address, self.code) = (pair, method, address, code)
        self.detail = detail
    }

    /// The place, what happened, what follows from it, and what to do.
    public var description: String {
        "\(pair).\(method) at \(address): \(detail)\(detail.hasSuffix(".") ? "" : ".") \(code.advice)"
    }
}

extension RemoteError.Code {
    fileprivate var advice: String {
        switch self {
        case .unreachable: "Check that the server runs, and that the address and the certificates are right."
        case .deadline: "Check that the server answers, or raise the connection's deadline."
        case .cancelled: "Nothing needs to be fixed."
        case .version: "The call was not carried out."
        case .notServed:
            "The call was not carried out. Serve the pair at this address, or update the server to an Api that "
                + "has this requirement."
        case .tooLarge: "Send or return less at once, or raise maximumBytes on both sides."
        case .malformed: "Check that caller and server were built from the same release of the Api."
        case .failed: "Declare the error in the Api to receive it as it was thrown."
        }
    }

    /// The code for a status of gRPC.
    init(_ code: RPCError.Code) {
        switch code {
        case .deadlineExceeded: self = .deadline
        case .cancelled: self = .cancelled
        case .failedPrecondition: self = .version
        case .unimplemented: self = .notServed
        case .resourceExhausted: self = .tooLarge
        case .invalidArgument, .dataLoss: self = .malformed
        case .unknown, .internalError: self = .failed
        default: self = .unreachable
        }
    }
}

extension RPCError {
    /// The message, and the messages of the causes that say more.
    var text: String {
        var text = message
        var cause = self.cause
        while let next = cause {
            let more = (next as? RPCError)?.message ?? String(describing: next)
            if !more.isEmpty, !text.contains(more) { text += text.isEmpty ? more : " (\(more))" }
            cause = (next as? RPCError)?.cause
        }
        return text
    }
}
