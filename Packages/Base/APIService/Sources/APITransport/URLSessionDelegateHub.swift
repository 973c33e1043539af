import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The session's delegate, which forwards the events of each task to its exchange.
final class URLSessionDelegateHub: NSObject, URLSessionDataDelegate {
    /// Answers a challenge that does not ask for a user's credentials. Returns `nil` to let the session answer the
    /// challenge. Throws if the server is not trusted.
    typealias Check = @Sendable (URLAuthenticationChallenge) throws -> URLCredential?

    /// Creates, resumes and cancels tasks, one at a time. On Linux, each of these waits for a queue that all sessions of
    /// the process share. A response can keep that queue busy for as long as the server wants, so a thread of the
    /// cooperative pool must never wait for it. All clients share this queue, so that only one thread waits.
    static let tasks = DispatchQueue(label: "APIService.URLSessionTasks")

    let queue: OperationQueue
    let redirects: RedirectPolicy
    private let check: Check
    /// The running exchanges, keyed by task object, because task identifiers are unique only within one session.
    private let exchanges = Locked<[ObjectIdentifier: URLSessionExchange]>([:])
    /// The number of pieces of all bodies so far, by session.
    private let pieces = Locked<[ObjectIdentifier: Int]>([:])

    init(redirects: RedirectPolicy, queue: OperationQueue, check: @escaping Check) {
        (self.redirects, self.queue, self.check) = (redirects, queue, check)
    }

    func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[ObjectIdentifier(task)] = exchange }
    }

    func remove(_ task: URLSessionTask) {
        exchanges.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(task)) }
    }

    private func exchange(_ task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[ObjectIdentifier(task)] }
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
        let count = pieces.withLock { counts in
            counts[ObjectIdentifier(session), default: 0] += 1
            return counts[ObjectIdentifier(session), default: 0]
        }
        if count % URLSession.piecesBetweenPauses == 0 { session.pauseReading()() }
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
        // The task of an exchange that has ended is being cancelled. On Linux, an answer could then end the process.
        guard let exchange = exchange(task) else { return }
        exchange.redirected(task, response)
        completionHandler(nil)
    }

    /// Delivers a 401 or 407 unchanged, because the service refreshes tokens itself. (By default, a session on Linux
    /// waits forever for credentials.)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
            NSURLAuthenticationMethodDefault:
            exchange(task)?.challenged()
            // On Linux, the session cancels the task, which waits for the queue that calls this method.
            nonisolated(unsafe) let completionHandler = completionHandler
            Self.tasks.async { unsafe completionHandler(.rejectProtectionSpace, nil) }
        default:
            do {
                let credential = try check(challenge)
                completionHandler(credential == nil ? .performDefaultHandling : .useCredential, credential)
            } catch {
                exchange(task)?.mistrusted(
                    APIUntrustedServer(host: challenge.protectionSpace.host, underlying: error))
                completionHandler(.cancelAuthenticationChallenge, nil)
            }
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
        // An unsupported URL is none of these: on Linux, a response that is not HTTP has this code.
        case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .cannotOpenFile, .badURL:
            return .local(error)
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            break
        #if os(Linux)
        // On Linux, a certificate error has no separate code, only libcurl's message.
        case .unknown where error.localizedDescription.contains("certificate"): break
        #endif
        default: return .broken(error)
        }
        return .broken(APIUntrustedServer(host: error.failingURL?.host ?? "", underlying: error))
    }
}
