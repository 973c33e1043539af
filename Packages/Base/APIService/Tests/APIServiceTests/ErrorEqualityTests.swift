import APIService
import Foundation
import Testing

@Suite("Equality of errors")
struct ErrorEqualityTests {
    /// Has the same text as every other value, like many errors of other libraries.
    struct Silent: Error, Equatable, CustomStringConvertible {
        let number: Int
        var description: String { "failed" }
    }

    /// Not `Equatable`, with a text that differs between equal values.
    struct Opaque: Error, CustomStringConvertible {
        var description: String { UUID().uuidString }
    }

    enum Kind: Error {
        case one(Opaque), other
    }

    @Test("Underlying errors that are Equatable are compared as values, not by their text")
    func equatable() {
        #expect(APIError.connectionError(Silent(number: 1)) == .connectionError(Silent(number: 1)))
        #expect(APIError.connectionError(Silent(number: 1)) != .connectionError(Silent(number: 2)))
        #expect(APIError.connectionError(Silent(number: 1)) != .localError(Silent(number: 1)))
        #expect(
            APIError.requestError(.failed(Silent(number: 1))) != .requestError(.failed(Silent(number: 2))))
        #expect(
            APIError.responseError(.invalidParseResponse(Silent(number: 1)))
                != .responseError(.invalidParseResponse(Silent(number: 2))))
        #expect(APIError.connectionError(URLError(.timedOut)) == .connectionError(URLError(.timedOut)))
        #expect(APIError.connectionError(URLError(.timedOut)) != .connectionError(URLError(.badURL)))
        #expect(APIError.refreshFailed(APIError.timedOut) == .refreshFailed(APIError.timedOut))
    }

    @Test("Other underlying errors are compared by type, domain and code")
    func opaque() {
        #expect(APIError.connectionError(Opaque()) == .connectionError(Opaque()))
        #expect(APIError.connectionError(Kind.one(Opaque())) == .connectionError(Kind.one(Opaque())))
        #expect(APIError.connectionError(Kind.one(Opaque())) != .connectionError(Kind.other))
        #expect(APIError.connectionError(Opaque()) != .connectionError(Kind.other))
    }

    @Test("Cases with the same payload differ, and the seed's comparison with networkError works")
    func cases() {
        let error = APIError.networkError
        #expect(error == APIError.networkError)
        let all: [APIError] = [
            .networkError, .cancelled, .timedOut, .userChanged, .vetoed(APIVeto("a")), .vetoed(APIVeto("b")),
            .cacheError(.missing), .cacheError(.expired), .requestError(.invalidURL("a")),
            .requestError(.invalidURL("b")), .requestError(.invalidMethod("a")),
            .requestError(.invalidHeader("a")), .requestError(.invalidParameters("a")),
            .requestError(.unsupported("a")), .responseError(.tooLarge(1)), .responseError(.tooLarge(2)),
            .responseError(.unacceptableContentType("a")),
            .responseError(.unacceptableStatus(APIStatusFailure(statusCode: 500, body: Data([1])))),
            .responseError(.unacceptableStatus(APIStatusFailure(statusCode: 500, body: Data([2])))),
            .responseError(.unacceptableStatus(APIStatusFailure(statusCode: 501, body: Data([1])))),
            .responseError(
                .unacceptableStatus(APIStatusFailure(statusCode: 500, headers: ["A": "b"], body: Data([1])))),
            .requestError(.noServer), .localError(Silent(number: 1)), .localError(Silent(number: 2)),
            .cacheError(.unusable("a")), .cacheError(.unusable("b")), .refreshFailed(Silent(number: 1)),
        ]
        for (index, left) in all.enumerated() {
            for (other, right) in all.enumerated() { #expect((left == right) == (index == other)) }
        }
        let failures = [500, 500, 501].map { APIStatusFailure(statusCode: $0, url: URL(string: "http://h/")) }
        #expect(Set(failures).count == 2)
    }
}
