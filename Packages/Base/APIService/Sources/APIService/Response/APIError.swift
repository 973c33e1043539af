import Foundation

/// Why a send gave no value. The cases tell apart what callers treat differently.
///
/// Two errors are equal when their cases are, and the underlying errors read the same.
public enum APIError: Error, Sendable {
    /// The server cannot be reached: there is no network, no such host, or nobody answers there.
    case networkError
    /// The request could not be built; nothing was sent.
    case requestError(APIRequestError)
    /// The exchange with the server broke: the transport's error.
    case connectionError(any Error)
    /// The server answered, and the answer is no good.
    case responseError(APIResponseError)
    /// The cache had no answer, or failed. Told to cache handlers only.
    case cacheError(APICacheError)
    /// The caller called it off.
    case cancelled
    /// The send's time limit was over, or that of the token refresh that it waited for. (A transport's own, such as
    /// `URLRequest.timeoutInterval`, makes a ``connectionError(_:)``, which may be tried again.)
    case timedOut
    /// An interceptor, plugin or accessory refused the request.
    case vetoed(APIVeto)
}

/// Why a request could not be built.
public enum APIRequestError: Error, Sendable {
    /// Base URL and path make no URL.
    case invalidURL(String)
    /// A parameter cannot be expressed in the request's encoding; says which and why.
    case invalidParameters(String)
    /// The encoding, an interceptor, a plugin or an accessory failed with an error of its own.
    case failed(any Error)
    /// The client cannot do what the task type asks for; says what.
    case unsupported(String)
}

/// Why an answer is no good.
public enum APIResponseError: Error, Sendable {
    /// The status is not among the acceptable ones; the body is there.
    case unacceptableStatus(APIStatusFailure)
    /// The body could not be parsed; the parser's error.
    case invalidParseResponse(any Error)
}

/// An answer with a status that is an error.
public struct APIStatusFailure: Error, Sendable, Hashable {
    /// The status code.
    public let statusCode: Int
    /// The header fields.
    public let headers: APIHeaders
    /// The body.
    public let body: Data

    /// An answer of this status.
    public init(statusCode: Int, headers: APIHeaders = [:], body: Data = Data()) {
        (self.statusCode, self.headers, self.body) = (statusCode, headers, body)
    }
}

/// What a cache may say instead of an answer.
public enum APICacheError: Error, Sendable, Hashable {
    /// Nothing is stored under the key, or nothing for a request with these header fields.
    case missing
    /// What is stored is too old.
    case expired
    /// What is stored, or the answer to be stored, cannot be used; says why.
    case unusable(String)
}

/// A refusal: thrown by an interceptor, plugin or accessory that does not want the request to be sent.
public struct APIVeto: Error, Sendable, Hashable {
    /// Why.
    public let reason: String

    /// A refusal for this reason.
    public init(_ reason: String) { self.reason = reason }
}

extension APIError: Equatable {
    /// Whether the cases are the same and what they carry reads the same.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.networkError, .networkError), (.cancelled, .cancelled), (.timedOut, .timedOut): true
        case (.requestError(let left), .requestError(let right)):
            String(reflecting: left) == String(reflecting: right)
        case (.connectionError(let left), .connectionError(let right)):
            String(reflecting: left) == String(reflecting: right)
        case (.responseError(.unacceptableStatus(let left)), .responseError(.unacceptableStatus(let right))):
            left == right
        case (.responseError(let left), .responseError(let right)):
            String(reflecting: left) == String(reflecting: right)
        case (.cacheError(let left), .cacheError(let right)): left == right
        case (.vetoed(let left), .vetoed(let right)): left == right
        default: false
        }
    }
}

extension APIError: LocalizedError, CustomStringConvertible {
    /// What went wrong, in a sentence for a log.
    public var description: String {
        switch self {
        case .networkError: "the server cannot be reached"
        case .requestError(.invalidURL(let text)): "no URL can be made of \(text)"
        case .requestError(.invalidParameters(let text)): "a parameter cannot be encoded: \(text)"
        case .requestError(.failed(let error)): "the request could not be built: \(error)"
        case .requestError(.unsupported(let text)): text
        case .connectionError(let error): "the connection failed: \(error)"
        case .responseError(.unacceptableStatus(let failure)): "the server answered \(failure.statusCode)"
        case .responseError(.invalidParseResponse(let error)): "the answer could not be parsed: \(error)"
        case .cacheError(.missing): "nothing is cached"
        case .cacheError(.expired): "what is cached is too old"
        case .cacheError(.unusable(let why)): "the cache cannot be used: \(why)"
        case .cancelled: "the request was cancelled"
        case .timedOut: "the time limit was over"
        case .vetoed(let veto): "the request was refused: \(veto.reason)"
        }
    }

    /// ``description``.
    public var errorDescription: String? { description }

    /// What an error thrown while the request was built counts as.
    init(building error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let veto as APIVeto: self = .vetoed(veto)
        case let error as APIRequestError: self = .requestError(error)
        case is CancellationError: self = .cancelled
        default: self = .requestError(.failed(error))
        }
    }

    /// What an error thrown by a parser counts as.
    init(parsing error: any Error) {
        self = .responseError(error as? APIResponseError ?? .invalidParseResponse(error))
    }
}
