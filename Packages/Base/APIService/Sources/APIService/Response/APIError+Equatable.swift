import Foundation

extension APIError: Equatable {
    /// Whether the cases and the payloads, except URLs, are equal.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.unreachable, .unreachable), (.cancelled, .cancelled), (.timedOut, .timedOut),
            (.userChanged, .userChanged):
            true
        case (.requestError(let left), .requestError(let right)): left == right
        case (.responseError(let left), .responseError(let right)): left == right
        case (.cacheError(let left), .cacheError(let right)): left == right
        case (.vetoed(let left), .vetoed(let right)): left == right
        case (.connectionError(let left, _), .connectionError(let right, _)): areEqual(left, right)
        case (.localError(let left), .localError(let right)): areEqual(left, right)
        case (.refreshFailed(let left), .refreshFailed(let right)): areEqual(left, right)
        default: false
        }
    }

    // Casts through `Any`: the compiler assumes that any error can be bridged to `NSError`, which is `Equatable`.
    fileprivate static func areEqual<E: Error>(_ left: E, _ right: any Error) -> Bool {
        guard type(of: right) == E.self else { return false }
        if let left = left as Any as? any Equatable { return isEqual(left, right) }
        let (left, right) = (left as NSError, right as NSError)
        return (left.domain, left.code) == (right.domain, right.code)
    }

    private static func isEqual<T: Equatable>(_ left: T, _ right: any Error) -> Bool { left == right as? T }
}

extension APIRequestError: Equatable {
    /// Whether the cases and the payloads are equal, as in ``APIError``.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.invalidURL(let left), .invalidURL(let right)),
            (.invalidMethod(let left), .invalidMethod(let right)),
            (.invalidParameters(let left), .invalidParameters(let right)),
            (.invalidHeader(let left), .invalidHeader(let right)),
            (.unsupported(let left), .unsupported(let right)):
            left == right
        case (.noServer, .noServer): true
        case (.failed(let left), .failed(let right)): APIError.areEqual(left, right)
        default: false
        }
    }
}

extension APIResponseError: Equatable {
    /// Whether the cases and the payloads are equal, as in ``APIError``.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.unacceptableStatus(let left), .unacceptableStatus(let right)): left == right
        case (.unacceptableContentType(let left, _), .unacceptableContentType(let right, _)): left == right
        case (.tooLarge(let left, _), .tooLarge(let right, _)): left == right
        case (.invalidParseResponse(let left, _), .invalidParseResponse(let right, _)):
            APIError.areEqual(left, right)
        default: false
        }
    }
}
