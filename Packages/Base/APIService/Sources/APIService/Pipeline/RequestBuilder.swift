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
        var urlRequest = URLRequest(url: try Self.url(request.baseURL, path: request.path))
        urlRequest.httpMethod = request.method.rawValue
        for field in request.headers ?? [:] {
            urlRequest.setValue(field.value, forHTTPHeaderField: field.name)
        }
        switch request.taskType {
        case .request, .download:
            return (
                try (encoding ?? request.encoding).encode(urlRequest, with: parameters), request.taskType
            )
        case .upload:
            // The body is taken.
            return (
                try APIURLEncoding.queryString.encode(urlRequest, with: parameters), request.taskType
            )
        case .multipart(var form):
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
        journal.note(.prepare, plugins.map { "\(type(of: $0))" }.joined(separator: ", "))
        return try plugins.reduce(urlRequest) { try $1.prepare($0, targetRequest: request) }
    }

    /// The path behind the base, with one slash between them.
    static func url(_ base: URL, path: String) throws(APIRequestError) -> URL {
        guard let parts = URLComponents(url: base, resolvingAgainstBaseURL: true), parts.scheme != nil,
            parts.host != nil
        else { throw .invalidURL(base.absoluteString) }
        if path.isEmpty { return base.absoluteURL }
        var joined = parts
        var front = parts.percentEncodedPath
        if front.hasSuffix("/") { front.removeLast() }
        let back = PercentEncoding.escape(
            path.hasPrefix("/") ? path.dropFirst() : path[...], keeping: "/!$&'()*+,;=:@")
        joined.percentEncodedPath = front + "/" + back
        guard let url = joined.url else { throw .invalidURL(base.absoluteString + path) }
        return url
    }
}
