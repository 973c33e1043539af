import APIService
import APIServiceTesting
import APITransport
import AsyncHTTPClient
import Foundation
import NIOSSL
import TestSupport
import Testing

@testable import AsyncHTTPAPIClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tests over https with a self-signed certificate, which clients trust only if configured to.
@Suite("API clients over TLS", .serialized)
struct TLSTests {
    private let folder: TemporaryFolder
    private let certificate: TestCertificate
    private let server: LoopbackServer

    init() throws {
        folder = try TemporaryFolder()
        certificate = try TestCertificate(in: folder)
        server = try LoopbackServer.faulty()
    }

    private struct TextRequest: APIRequest {
        typealias Response = Data
        let baseURL: URL
        var path = "/echo"
        var headers: APIRequestHeaders? = ["Authorization": "Bearer secret", "X-Kept": "kept"]

        /// Uses the path unescaped, because it may contain a query.
        func intercept(urlRequest: URLRequest) throws -> URLRequest {
            var request = urlRequest
            request.url = URL(string: baseURL.absoluteString + path)
            return request
        }
    }

    private func service(_ client: any APIClient) -> APIService {
        var settings = APISettings()
        settings.retry = APIRetryPolicy(maximumAttempts: 3, baseDelay: .milliseconds(1))
        return APIService(client: client, config: APIConfig(settings))
    }

    private func trusting() throws -> AsyncHTTPAPIClient {
        try AsyncHTTPAPIClient(trustedCertificates: certificate.file)
    }

    @Test(
        "AsyncHTTPAPIClient passes the client conformance checks over https",
        arguments: APIClientConformance.checks)
    func conforms(check: APIClientConformance.Check) async throws {
        try await check.run(try trusting()) { [certificate] in try TLSFront.front(certificate, before: $0) }
    }

    @Test("Repeated requests to a server with a trusted certificate succeed")
    func trusted() async throws {
        try await TLSFront.serve(certificate, before: server) { url in
            let service = service(try trusting())
            for _ in 1...3 {
                let text = String(
                    decoding: try await service.sendRequest(TextRequest(baseURL: url)), as: UTF8.self)
                #expect(text.contains("authorization: Bearer secret"))
            }
        }
    }

    @Test(
        "A server with an untrusted certificate gets no request, and the APIUntrustedServer error is not retried",
        arguments: Transport.allCases)
    func untrusted(transport: Transport) async throws {
        try await TLSFront.serve(certificate, before: server) { url in
            let response = await service(transport.client()).response(to: TextRequest(baseURL: url))
            guard case .connectionError(let error as APIUntrustedServer, _) = response.result.error else {
                Issue.record("\(response.result)")
                return
            }
            #expect(error.description.contains("is not trusted"))
            #expect(response.explanation.attempts == 1)
            #expect(server.requests.isEmpty)
        }
    }

    @Test(
        "A client with pinned keys sends requests only to a server with one of these keys",
        arguments: [true, false])
    func pinned(isHTTP2: Bool) async throws {
        let certificates = try NIOSSLCertificate.fromPEMFile(certificate.file.path)
        let key = try PinnedKeys.digest(of: certificates[0])
        var configuration = AsyncHTTPAPIClient.configuration()
        configuration.tlsConfiguration = TLSConfiguration.makeClientConfiguration()
        configuration.tlsConfiguration?.additionalTrustRoots = [.certificates(certificates)]
        func status(_ keys: Set<String>, _ url: URL) async -> Int? {
            let client = AsyncHTTPAPIClient(configuration: configuration, pinnedKeys: keys)
            let response = await service(client).response(to: TextRequest(baseURL: url))
            guard case .connectionError(is APIUntrustedServer, _) = response.result.error else {
                return response.response?.statusCode
            }
            return nil
        }
        func check(_ url: URL) async {
            #expect(await status([key, "other"], url) == 200)
            #expect(await status(["other"], url) == nil)
            #expect(await status([key], server.url("")) == nil)
            #expect(server.requests.count == 1)
        }
        #expect("\(PinnedKeys.Mismatch(digest: nil))".hasPrefix("the connection does not use TLS"))
        if isHTTP2 {
            try await HTTP2Front.serve(certificate, before: server) { _, url in await check(url) }
        } else {
            try await TLSFront.serve(certificate, before: server) { await check($0) }
        }
    }

    @Test("A trusted certificate is rejected if it is for another host name")
    func otherName() async throws {
        let other = try TestCertificate(in: folder, name: "other.example")
        try await TLSFront.serve(other, before: server) { url in
            let client = try AsyncHTTPAPIClient(trustedCertificates: other.file)
            let response = await service(client).response(to: TextRequest(baseURL: url))
            guard case .connectionError(is APIUntrustedServer, _) = response.result.error else {
                Issue.record("\(response.result)")
                return
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test(
        "A server that knows only TLS 1.1 gets no request, whatever the configuration allows",
        arguments: [TLSVersion.tlsv1, .tlsv11, .tlsv12])
    func oldTLS(minimum: TLSVersion) async throws {
        var configuration = AsyncHTTPAPIClient.configuration()
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.minimumTLSVersion = minimum
        configuration.tlsConfiguration?.additionalTrustRoots = [
            .certificates(try NIOSSLCertificate.fromPEMFile(certificate.file.path))
        ]
        for (maximum, isAccepted) in [(TLSVersion.tlsv11, false), (.tlsv12, true)] {
            let server = try LoopbackServer.faulty(
                front: { [certificate] in try TLSFront.front(certificate, before: $0, maximum: maximum) })
            let response = await service(AsyncHTTPAPIClient(configuration: configuration)).response(
                to: TextRequest(baseURL: server.url("")))
            #expect((response.result.error == nil) == isAccepted, "\(response.result)")
            #expect(server.requests.isEmpty == !isAccepted)
        }
    }

    @Test("Creating a client with a certificate file that is not PEM throws")
    func noPEM() throws {
        let file = folder.file("text")
        try Data("text".utf8).write(to: file)
        #expect(throws: (any Error).self) { try AsyncHTTPAPIClient(trustedCertificates: file) }
    }

    @Test("A plain http request to a TLS server is an error", arguments: Transport.allCases)
    func plain(transport: Transport) async throws {
        try await TLSFront.serve(certificate, before: server) { url in
            let plain = try #require(URL(string: "http://127.0.0.1:\(url.port ?? 0)"))
            let response = await service(transport.client()).response(to: TextRequest(baseURL: plain))
            guard case .connectionError = response.result.error else {
                Issue.record("\(response.result)")
                return
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("A redirect from https to http is not followed, and the caller gets the redirect response")
    func downgrade() async throws {
        let plain = try LoopbackServer.faulty()
        try await TLSFront.serve(certificate, before: server) { url in
            for status in [301, 302, 303, 307, 308] {
                let response = await service(try trusting()).response(
                    to: TextRequest(baseURL: url, path: "/redirect/\(status)?\(plain.url("/echo"))"))
                #expect(response.response?.statusCode == status)
                #expect(response.result.value == nil)
            }
            #expect(plain.requests.isEmpty)
        }
    }

    @Test(
        "A redirect keeps credentials within the origin and drops them for another scheme or port")
    func redirects() async throws {
        let second = try LoopbackServer.faulty()
        try await TLSFront.serve(certificate, before: server) { url in
            try await TLSFront.serve(certificate, before: second) { other in
                let service = service(try trusting())
                func text(from base: URL, to target: String) async throws -> String {
                    let data = try await service.sendRequest(
                        TextRequest(baseURL: base, path: "/redirect/307?\(target)"))
                    return String(decoding: data, as: UTF8.self)
                }
                #expect(try await text(from: url, to: "/echo").contains("secret"))
                for (base, target) in [(server.url(""), "\(url)/echo"), (url, "\(other)/echo")] {
                    let text = try await text(from: base, to: target)
                    #expect(!text.contains("secret") && text.contains("x-kept: kept"), "\(text)")
                }
            }
        }
    }
}
