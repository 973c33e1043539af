import APIService
import APITransport
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

/// What the errors of async-http-client mean.
extension AsyncHTTPAPIClient {
    /// Whether it is certain that the server has not processed the request.
    ///
    /// Either the server refused the HTTP/2 stream, or the connection was already closing. If the connection
    /// was closing, async-http-client reports a cancellation, although the task is not cancelled.
    static func isNotBegun(_ error: any Error) -> Bool {
        if let error = error as? NIOHTTP2Errors.StreamClosed { return error.errorCode == .refusedStream }
        return error as? HTTPClientError == .cancelled && !Task.isCancelled
    }

    /// Whether the connection was closed before any response arrived, and the request can safely be sent again. The
    /// pool may hand out a connection that is already closed (async-http-client#715).
    ///
    /// The errors do not show how much of the request was written, so a body is never sent twice.
    static func isStale(_ error: any Error, _ request: HTTPClientRequest) -> Bool {
        guard request.body == nil, APIRequestMethod(rawValue: request.method.rawValue).isIdempotent else {
            return false
        }
        if case ChannelError.ioOnClosedChannel = error { return true }
        if let error = error as? IOError { return [ECONNRESET, EPIPE].contains(error.errnoCode) }
        return error as? HTTPClientError == .remoteConnectionClosed
    }

    static func transportError(_ error: any Error, host: String?) -> APITransportError {
        switch error {
        case is CancellationError: .cancelled
        case let error as LocalError: .local(error.underlying)
        case let error as HTTPClientError where error == .cancelled && Task.isCancelled: .cancelled
        case let error as HTTPClientError where error == .connectTimeout: .unreachable(error)
        case let error as PinnedKeys.Mismatch:
            .broken(APIUntrustedServer(host: host ?? "", underlying: error))
        case is NIOConnectionError: .unreachable(error)
        case HTTPParserError.headerOverflow: .broken(HeadTooLarge())
        case let error as IOError where error.errnoCode == ECONNREFUSED: .unreachable(error)
        case NIOSSLError.handshakeFailed(BoringSSLError.sslError(let errors))
        where errors.contains { $0.description.contains("CERTIFICATE_VERIFY_FAILED") }:
            .broken(APIUntrustedServer(host: host ?? "", underlying: error))
        case let error as NIOSSLExtraError
        where error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch:
            .broken(APIUntrustedServer(host: host ?? "", underlying: error))
        default: .broken(error)
        }
    }
}

/// The head of a response is larger than swift-nio accepts.
struct HeadTooLarge: Error, CustomStringConvertible {
    let description =
        "the response's head has more than 255 fields, a field of more than 80 KiB, or more than 2 MiB, which swift-nio "
        + "does not accept. Let the server send fewer or shorter fields"
}
