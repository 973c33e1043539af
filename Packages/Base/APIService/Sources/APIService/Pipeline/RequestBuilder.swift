import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The stages that build a `URLRequest`: parameters, encoding, request interceptor and the plugins'
/// `prepare`.
struct RequestBuilder<T: APIRequest>: Sendable {
    let request: T
    let plugins: [any APIPlugin]
    let encoding: (any APIParameterEncoding)?
    let journal: Journal

    /// Returns the request to send and its task type. The form of a multipart task also contains the
    /// parameters.
    func build() throws(APIError) -> (URLRequest, APIRequestTaskType) {
        do {
            let parameters = try interceptedParameters()
            let (encoded, taskType) = try encode(parameters)
            let intercepted = try intercept(encoded)
            return (try prepare(intercepted), taskType)
        } catch {
            throw APIError(building: error)
        }
    }

    func interceptedParameters() throws -> APIParameters? {
        journal.note(.parameters)
        return try request.intercept(parameters: request.parameters)
    }

    func encode(_ parameters: APIParameters?) throws -> (URLRequest, APIRequestTaskType) {
        journal.note(.encoding)
        switch request.taskType {
        case .request, .download:
            let encoding = encoding ?? request.encoding
            // Fast path for most requests: builds one URL instead of two.
            if let encoding = encoding as? APIURLEncoding, let parameters,
                encoding.goesIntoQuery(request.method.rawValue)
            {
                return (try urlRequest(query: try encoding.query(parameters)), request.taskType)
            }
            return (try encoding.encode(urlRequest(), with: parameters), request.taskType)
        case .upload:
            // The upload is the body, so the parameters go into the query.
            let query = try APIURLEncoding.queryString.query(parameters ?? [:])
            return (try urlRequest(query: query), request.taskType)
        case .multipart(var form):
            var urlRequest = try urlRequest()
            let fields = try APIURLEncoding.default.pairs(parameters ?? [:]).map {
                APIMultipartForm.Part(name: $0.name, content: .data(Data($0.value.utf8)))
            }
            form.parts = fields + form.parts
            urlRequest.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
            return (urlRequest, .multipart(form))
        }
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
        var urlRequest = URLRequest(url: try Self.url(request.baseURL, path: request.path, query: query))
        // GET is the default of `URLRequest`.
        if request.method != .get { urlRequest.httpMethod = request.method.rawValue }
        if let headers = request.headers { urlRequest.set(headers) }
        return urlRequest
    }

    /// Returns `base` with `path` and `query` appended to its own path and query. Exactly one slash separates
    /// the paths.
    static func url(_ base: URL, path: String, query: String = "") throws(APIRequestError) -> URL {
        guard let parts = URLParts(base), !parts.host.isEmpty else {
            throw .invalidURL(base.absoluteString)
        }
        guard let url = parts.url(path: path, query: query) else {
            throw .invalidURL(base.absoluteString + path)
        }
        return url
    }
}
