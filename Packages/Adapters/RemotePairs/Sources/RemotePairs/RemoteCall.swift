import Foundation
import GRPCCore

/// One requirement of a pair's Api, as client and server see it.
///
/// `Value` is the result, or the element of the stream that the requirement returns. The arguments follow in the
/// order of the parameters.
public struct RemoteCall<
    Value: Codable & Sendable, Failure: Error & Codable, each Argument: Codable & Sendable
>: Sendable {
    let pair: RemotePair
    let descriptor: MethodDescriptor
    let isRepeatable: Bool
    /// Wraps a failure of the network in the error that the requirement throws.
    let wrap: @Sendable (RemoteError) -> Failure

    /// - Parameters:
    ///   - name: The requirement's full name, such as `code(for:)`. Any name is possible.
    ///   - pair: The pair that declares the requirement.
    ///   - kind: Whether the call may be sent twice, and whether it returns a stream.
    ///   - wrap: Wraps a failure of the network in the requirement's error.
    public init(
        _ name: String, of pair: RemotePair, _ kind: RemoteCallKind = .once,
        wrap: @escaping @Sendable (RemoteError) -> Failure
    ) {
        self.pair = pair
        self.wrap = wrap
        isRepeatable = kind == .repeatable
        descriptor = MethodDescriptor(
            service: pair.service, method: MethodDescriptor.escaped(name),
            type: kind == .stream ? .serverStreaming : .unary)
    }

    /// A requirement with an untyped `throws`. It throws the ``RemoteError`` itself.
    public init(_ name: String, of pair: RemotePair, _ kind: RemoteCallKind = .once)
    where Failure == RemoteError {
        self.init(name, of: pair, kind) { $0 }
    }
}

/// How a requirement is called.
public enum RemoteCallKind: Sendable {
    /// The call is sent at most once.
    case once
    /// The requirement is idempotent: when the connection breaks before the answer has arrived, gRPC sends the
    /// call again.
    case repeatable
    /// The requirement returns a stream. The call is sent at most once.
    case stream
}

/// The result of a requirement without a result.
public struct RemoteVoid: Codable, Sendable {
    public init() {}
}

extension MethodDescriptor {
    private static let unescaped = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_():")

    /// Returns a requirement's name as part of a URL's path: Swift allows spaces, slashes and umlauts in names.
    static func escaped(_ name: String) -> String {
        name.addingPercentEncoding(withAllowedCharacters: unescaped) ?? name
    }

    /// The requirement's name.
    var requirement: String { method.removingPercentEncoding ?? method }
}
