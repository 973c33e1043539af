import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The stages that make a `URLRequest`: parameters, encoding, request interceptor, the plugins' prepare.
struct RequestBuilder<T: APIRequest>: Sendable {
    let request: T
    let plugins: [any APIPlugin]
    let encoding: (any APIParameterEncoding)?
    let journal: Journal

    /// The request to send, and its task type with what the stages have added to it.
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
            // What most requests are. So one URL is made, and not two.
            if let encoding = encoding as? APIURLEncoding, let parameters,
                encoding.goesIntoQuery(request.method.rawValue)
            {
                return (try urlRequest(query: try encoding.query(parameters)), request.taskType)
            }
            return (try encoding.encode(urlRequest(), with: parameters), request.taskType)
        case .upload:
            // The body is taken.
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

    /// The request without its body.
    private func urlRequest(query: String = "") throws(APIRequestError) -> URLRequest {
        var urlRequest = URLRequest(url: try Self.url(request.baseURL, path: request.path, query: query))
        // GET is what a request has anyhow.
        if request.method != .get { urlRequest.httpMethod = request.method.rawValue }
        if let headers = request.headers { urlRequest.set(headers) }
        return urlRequest
    }

    /// The path behind the base's, with one slash between them, and the query behind the base's.
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
