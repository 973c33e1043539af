import GRPCCore

/// The error thrown when a call to another process fails for a reason that the Api does not declare.
public struct RemoteError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Codable, Sendable, CaseIterable {
        /// No server could be reached, or the connection broke before the answer arrived.
        case unreachable
        /// The deadline passed before the answer arrived.
        case deadline
        /// The calling task was cancelled.
        case cancelled
        /// The versions of caller and server are incompatible.
        case version
        /// The server does not serve the pair or this requirement.
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
    /// The connection's addresses; in a server's record, the caller's address.
    public let address: String
    public let code: Code
    /// What happened, as reported by the network or the server. If no answer arrived, the last sentence says whether
    /// the server may have carried out the call.
    public let detail: String

    public init(pair: String, method: String, address: String, code: Code, detail: String) {
        (self.pair, self.method, self.address, self.code) = (pair, method, address, code)
        self.detail = detail
    }

    /// The place, what happened, the consequence, and the fix.
    public var description: String {
        "\(pair).\(method) at \(address): \(detail)\(detail.hasSuffix(".") ? "" : ".") \(code.advice)"
    }
}

extension RemoteError.Code {
    fileprivate var advice: String {
        switch self {
        case .unreachable:
            "Check that the server is running and that the address and certificates are correct."
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

    /// The code for a gRPC status.
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
    /// The message, followed by the messages of the causes that add information.
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
