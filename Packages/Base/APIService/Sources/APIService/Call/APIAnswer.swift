import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An answer on its way through a call. Every status is returned as an answer, not thrown as an error.
package struct APIAnswer: Sendable {
    /// The request as it was sent.
    package var request: URLRequest
    package var response: HTTPURLResponse
    package var body: Data
    /// The file of a download; `body` is then empty.
    package var file: URL?
    package var source = APIResponseSource.network
    /// The parsed value or the parser's error; `nil` if the body has not been parsed yet.
    package var value: Result<any Sendable, APIError>?
    /// Whether a redirect has led to another origin, perhaps with others back to the first one, so that the answer is for a
    /// request without the user's credentials.
    package var isAnonymous = false

    package init(request: URLRequest, response: HTTPURLResponse, body: Data, file: URL? = nil) {
        (self.request, self.response, self.body, self.file) = (request, response, body, file)
    }
}
