import Foundation
import GRPCCore

/// One requirement of a pair's Api, shared by client and server.
///
/// `Value` is the result, or the element of the stream that the requirement returns. `Argument` stands for the
/// parameters' types, in order.
public struct RemoteCall<
    Value: Codable & Sendable, Failure: Error & Codable, each Argument: Codable & Sendable
>: Sendable {
    let pair: RemotePair
    let descriptor: MethodDescriptor
    let isRepeatable: Bool
    /// Wraps a network failure in the error that the requirement throws.
    let wrap: @Sendable (RemoteError) -> Failure

    /// - Parameters:
    ///   - name: The requirement's full name, such as `code(for:)`. Any Swift name is possible.
    ///   - pair: The pair that declares the requirement.
    ///   - kind: Whether the call may be sent more than once, and whether it returns a stream.
    ///   - wrap: Wraps a network failure in the requirement's error.
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

    /// Creates a requirement with an untyped `throws`, which throws the ``RemoteError`` itself.
    public init(_ name: String, of pair: RemotePair, _ kind: RemoteCallKind = .once)
    where Failure == RemoteError {
        self.init(name, of: pair, kind) { $0 }
    }
}

/// How a requirement is called.
public enum RemoteCallKind: Sendable {
    /// The call is sent at most once.
    case once
    /// The requirement is idempotent: if the connection breaks before the answer has arrived, the call is sent again.
    case repeatable
    /// The requirement returns a stream. The call is sent at most once.
    case stream
}

/// The `Value` of a requirement that returns nothing.
public struct RemoteVoid: Codable, Sendable {
    public init() {}
}

extension MethodDescriptor {
    private static let unescaped = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_():")

    /// Percent-encodes a requirement's name for a URL's path, because a Swift name may contain spaces, slashes and
    /// umlauts.
    static func escaped(_ name: String) -> String {
        name.addingPercentEncoding(withAllowedCharacters: unescaped) ?? name
    }

    /// The requirement's name.
    var requirement: String { method.removingPercentEncoding ?? method }
}
