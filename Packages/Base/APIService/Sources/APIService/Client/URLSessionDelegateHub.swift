import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The session's delegate, which forwards the events of each task to its exchange.
final class URLSessionDelegateHub: NSObject, URLSessionDataDelegate {
    let queue: OperationQueue
    let redirects: RedirectPolicy
    private let exchanges = Locked<[Int: URLSessionExchange]>([:])

    init(redirects: RedirectPolicy, queue: OperationQueue) {
        (self.redirects, self.queue) = (redirects, queue)
    }

    func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func remove(_ task: URLSessionTask) {
        exchanges.withLock { _ = $0.removeValue(forKey: task.taskIdentifier) }
    }

    private func exchange(_ task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let head = response as? HTTPURLResponse { exchange(dataTask)?.head(head) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.piece(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(task)?.sent(totalBytesSent, of: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        exchange(task)?.redirected(response, policy: redirects)
        completionHandler(nil)
    }

    /// Delivers a 401 or 407 as it is: the service has its own way to refresh a token. (By default, a session on
    /// Linux waits for ever for credentials.)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
            NSURLAuthenticationMethodDefault:
            exchange(task)?.challenged()
            completionHandler(.rejectProtectionSpace, nil)
        default: completionHandler(.performDefaultHandling, nil)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchange(task)?.finished(error.map(Self.transportError))
    }

    static func transportError(_ error: any Error) -> APITransportError {
        guard let error = error as? URLError else { return .broken(error) }
        switch error.code {
        case .cancelled: return .cancelled
        case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed,
            .dataNotAllowed, .internationalRoamingOff:
            return .unreachable(error)
        case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .cannotOpenFile:
            return .local(error)
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            break
        #if os(Linux)
        // On Linux, a certificate error has no code of its own, only libcurl's message.
        case .unknown where error.localizedDescription.contains("certificate"): break
        #endif
        default: return .broken(error)
        }
        return .broken(APIUntrustedServer(host: error.failingURL?.host ?? "", underlying: error))
    }
}
