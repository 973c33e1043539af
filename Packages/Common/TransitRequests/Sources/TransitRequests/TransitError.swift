import APIService
import ErrorCode

/// The failure of a request to the operator's server.
public enum TransitError: Error, Sendable, CustomStringConvertible {
    /// The server refused the request with this code.
    case refused(ErrorCode)
    /// The request failed, or the response was not the expected JSON envelope.
    case network(APIError)

    /// The code with which the server has refused the request, which then had no effect; nil if the request may have had
    /// one, because the server has failed or this version does not know its code.
    public var refusal: ErrorCode? {
        guard case .refused(let code) = self, code != .unknown, code.name != nil else { return nil }
        return code
    }

    /// Whether no answer has arrived, for example because there is no connection: other requests would probably fail too.
    public var isUnanswered: Bool {
        switch self {
        case .refused, .network(.responseError): false
        case .network: true
        }
    }

    /// A sentence that tells the passenger what happened and what to do. For logs, use the error in
    /// ``network(_:)``.
    public var description: String {
        switch self {
        case .refused(let code): code.message
        case .network(.unreachable):
            "The server cannot be reached; please check the connection and try again."
        case .network(.connectionError): "The connection to the server was lost; please try again."
        case .network(.timedOut): "The server took too long to answer; please try again later."
        case .network(.cancelled): "The request was cancelled."
        case .network(.responseError(.unacceptableStatus(let failure))):
            "The server cannot answer now; please try again later (status \(failure.statusCode))."
        case .network(.responseError(.invalidParseResponse)),
            .network(.responseError(.unacceptableContentType)), .network(.responseError(.tooLarge)):
            "This app does not understand the server's answer; please try again later, or update the app."
        case .network(.refreshFailed): "Your login could not be renewed; please try again, or log in again."
        case .network(.localError): "The device cannot store the data; please free some space."
        case .network(.vetoed(let veto)): "The request was not sent: \(veto.reason)"
        case .network(.userChanged):
            "You logged out, or another passenger logged in, before the request could be sent."
        case .network(.requestError(.noServer)): ErrorCode.notInitialised.message
        case .network(.requestError), .network(.cacheError):
            "The app cannot send this request; please update it."
        }
    }
}
