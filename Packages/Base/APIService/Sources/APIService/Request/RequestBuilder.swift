import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request that is ready to be sent.
package struct BuiltRequest: Sendable {
    package var urlRequest: URLRequest
    /// `nil` if the body and the response stay in memory.
    package var transfer: (any APITransfer)?
}

/// The stages that build a `URLRequest`: parameters, encoding, request interceptor and the plugins'
/// `prepare`.
package struct RequestBuilder<T: APIRequest>: Sendable {
    let request: T
    let plugins: [any APIPlugin]
    let encoding: (any APIParameterEncoding)?
    let encoder: JSONEncoder
    /// The server of requests that do not declare one.
    let server: URL?
    let journal: Journal

    package init(
        request: T, plugins: [any APIPlugin], encoding: (any APIParameterEncoding)?, settings: APISettings,
        journal: Journal
    ) {
        (self.request, self.plugins, self.encoding) = (request, plugins, encoding)
        (encoder, server, self.journal) = (settings.encoder, settings.baseURL, journal)
    }

    /// Returns the request to send.
    package func build() throws(APIError) -> BuiltRequest {
        do {
            var built = try encode(try interceptedParameters())
            built.urlRequest = try prepare(try intercept(built.urlRequest))
            return built
        } catch {
            throw APIError(building: error)
        }
    }

    func interceptedParameters() throws -> APIParameters? {
        journal.note(.parameters)
        return try request.intercept(parameters: try request.parameters)
    }

    func encode(_ parameters: APIParameters?) throws -> BuiltRequest {
        journal.note(.encoding)
        if T.BodyProperty.self != APINoBody.self {
            return BuiltRequest(urlRequest: try encodeBody(parameters))
        }
        let encoding = encoding ?? request.encoding
        guard let transfer = request.taskType.transfer else {
            // Fast path for most requests: builds one URL instead of two.
            if let encoding = encoding as? APIURLEncoding, let parameters,
                encoding.goesIntoQuery(request.method.rawValue)
            {
                return BuiltRequest(urlRequest: try urlRequest(query: try encoding.query(parameters)))
            }
            return BuiltRequest(urlRequest: try encoding.encode(urlRequest(), with: parameters))
        }
        var (parameters, urlRequest) = (parameters, try urlRequest())
        let taken = try transfer.taking(&parameters, for: &urlRequest)
        return BuiltRequest(
            urlRequest: try encoding.encode(urlRequest, with: parameters), transfer: taken)
    }

    /// Returns the request with its body as JSON, and with the parameters in its query.
    private func encodeBody(_ parameters: APIParameters?) throws -> URLRequest {
        guard request.taskType.transfer == nil else {
            throw APIRequestError.unsupported(
                "a request with a body of its own cannot be an upload or a download")
        }
        var urlRequest = try urlRequest(query: try APIURLEncoding.queryString.query(parameters ?? [:]))
        if urlRequest.value(forHTTPHeaderField: "Content-Type") == nil {
            urlRequest.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        urlRequest.httpBody = try encoder.encode(request.body)
        return urlRequest
    }

    func intercept(_ urlRequest: URLRequest) throws -> URLRequest {
        journal.note(.requestInterceptor)
        return try request.intercept(urlRequest: urlRequest)
    }

    func prepare(_ urlRequest: URLRequest) throws -> URLRequest {
        guard !plugins.isEmpty else {
            journal.note(.prepare)
            return urlRequest
        }
        journal.note(.prepare, plugins.map { "\(type(of: $0))" }.joined(separator: ", "))
        return try plugins.reduce(urlRequest) { try $1.prepare($0, targetRequest: request) }
    }

    /// Returns the request without a body.
    private func urlRequest(query: String = "") throws(APIRequestError) -> URLRequest {
        var base = request.baseURL
        if base == .ofService {
            guard let server else { throw .noServer }
            base = server
        }
        var urlRequest = URLRequest(url: try Self.url(base, path: request.path, query: query))
        // GET is the default of `URLRequest`.
        if request.method != .get {
            // `URLRequest` replaces an empty method.
            try request.method.check()
            urlRequest.httpMethod = request.method.rawValue
        }
        if let headers = request.headers { try urlRequest.set(headers) }
        return urlRequest
    }

    /// Returns `base` with `path` appended to its path, with exactly one slash between the two, and with
    /// `query` appended to its query.
    static func url(_ base: URL, path: String, query: String = "") throws(APIRequestError) -> URL {
        guard base.scheme != nil, base.host()?.isEmpty == false else {
            throw .invalidURL(base.absoluteString)
        }
        guard let url = base.appending(path: path, escapedQuery: query) else {
            throw .invalidURL(base.absoluteString + path)
        }
        return url
    }
}
