import APIService
import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension APIRequestTaskType {
    /// Sends a body from memory, from a file or from a sequence of pieces. The parameters go into the query.
    public static func upload(_ upload: APIUpload) -> Self { Self(upload) }

    /// Sends a multipart form. The parameters become the form's first fields.
    public static func multipart(_ form: APIMultipartForm) -> Self { Self(form) }

    /// Writes the response to a file.
    public static func download(_ download: APIDownload) -> Self { Self(download) }
}

extension APIUpload: APITransfer {
    /// Puts the parameters into the query, because the upload is the body.
    package func taking(
        _ parameters: inout APIParameters?, for request: inout URLRequest
    ) throws -> any APITransfer {
        request = try APIURLEncoding.queryString.encode(request, with: parameters)
        parameters = nil
        return self
    }

    package var withoutBody: (any APITransfer)? { nil }

    package func send(
        _ request: URLRequest, _ client: any APIClient, limit: Int?, _ progressHandler: APIProgressHandler?
    ) async throws(APIError) -> APIAnswer {
        var request = request
        if !(client is any APIStreamingClient) {
            guard case .data(let body) = self else {
                throw .requestError(
                    .unsupported(
                        "\(type(of: client)) cannot upload files or sequences, because it cannot stream"))
            }
            request.httpBody = body
        }
        return try await client.collected(request, upload: self, limit: limit, progressHandler)
            .answer(to: request, limit: limit)
    }
}

extension APIMultipartForm: APITransfer {
    /// Adds the parameters as the form's first fields.
    package func taking(
        _ parameters: inout APIParameters?, for request: inout URLRequest
    ) throws -> any APITransfer {
        var form = self
        let fields = try APIURLEncoding.default.pairs(parameters ?? [:]).map {
            Part(name: $0.name, content: .data(Data($0.value.utf8)))
        }
        form.parts = fields + parts
        parameters = nil
        request.setValue(try contentType, forHTTPHeaderField: "Content-Type")
        return form
    }

    package var withoutBody: (any APITransfer)? { nil }

    package func send(
        _ request: URLRequest, _ client: any APIClient, limit: Int?, _ progressHandler: APIProgressHandler?
    ) async throws(APIError) -> APIAnswer {
        let upload: APIUpload
        do {
            upload = try encoded()
        } catch {
            throw .localError(error)
        }
        defer { discard(upload) }
        return try await upload.send(request, client, limit: limit, progressHandler)
    }
}
