import Foundation
import TestSupport
import Testing

@testable import APIServiceTesting
@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The conformance checks, run on clients with a fault", .timeLimit(.minutes(10)), .waitLimit)
struct ConformanceFaultTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// How the check's description begins.
        let check: String
        let fault: Fault
        /// A part of what the check reports.
        let report: String

        init(_ check: String, _ fault: Fault, _ report: String) {
            (self.check, self.fault, self.report) = (check, fault, report)
        }

        var testDescription: String { "\(check): \(report)" }
    }

    static let requests = [
        Row("a task does nothing before", Fault(times: 2), "4 requests arrived"),
        Row("a hundred concurrent", Fault(end: { _ in .local(LostAnswer()) }), "LostAnswer"),
        Row("method, path", .lost("X-Field"), "PUT /echo"),
        Row("method, path", .method("POST"), "POST /echo"),
        Row("method, path", Fault(lostField: "content-type"), "no Content-Type"),
        Row(
            "cookies", Fault(send: { $0.setValue("a=b", forHTTPHeaderField: "Cookie") }), "a cookie was sent"),
        Row("cookies", Fault(times: 2), "a response was cached"),
        Row("a redirect within", .lost("Authorization"), "301"),
        Row("a redirect to another origin drops the credentials", .lost("X-Kept"), "301: "),
        Row("a redirect to another origin drops the credentials", .appended("secret"), "301: "),
        Row("a redirect drops the fields", .lost("X-Kept"), "301 dropped a field"),
        Row("a redirect drops the fields", .appended("\nif-range"), "301 kept a field"),
        Row("a redirect drops the fields", .appended("\nrange"), "301 kept a field"),
        Row("a 303 redirect", .method("PUT"), "307: "),
        Row("a 303 redirect", .extraByte, "307: "),
        Row("a redirect drops the accessories'", .lost("X-Kept"), "/echo: "),
        Row("a redirect drops the accessories'", .appended("secret"), "/echo: "),
        Row("a redirect drops the accessories'", .otherStatus, "/echo: "),
        Row("a redirect drops the accessories'", Fault(ignoresRules: true), "a secret body was sent"),
        Row(
            "a redirect drops the accessories'",
            Fault(ignoresRules: true, status: { $1.httpMethod == "POST" ? 307 : $0 }),
            "2 requests to the other"),
        Row("a redirect loop", Fault(times: 9), "requests"),
        Row("a scheme", .method("HEAD"), "HTTP://"),
        Row("two Location fields", .extraByte, "/a,%20/b!"),
        Row("a redirect with a user name", .appended("authorization"), "GET /echo"),
        Row("a redirect with a user name", .method("PUT"), "PUT /echo"),
        Row(
            "a download asks", Fault(send: { $0.setValue("gzip", forHTTPHeaderField: "Accept-Encoding") }),
            "gzip"),
        Row("a response that ends after its head", Fault(times: 2), "2 requests"),
    ]

    static let responses = [
        Row("a response with any status", .otherStatus, "200: "),
        Row("a response with any status", .extraByte, "200: status 200!"),
        Row("a response to HEAD", .extraByte, "the response has a body"),
        Row("a response to HEAD", Fault(lostField: "content-length"), "no length"),
        Row("chunked, compressed", .extraByte, "chunked"),
        Row("chunked, compressed", Fault(body: { $0.count == 10 ? Data() : $0 }), "gzip"),
        Row("chunked, compressed", Fault(body: { $0.prefix(1_000) }), "big"),
        Row("informational responses", .extraByte, "6 bytes"),
        Row("informational responses", .otherStatus, "201"),
        Row(
            "progress never",
            Fault(progress: { APIProgress(.download, completed: min($0.completed, 9), total: $0.total) }), "9"
        ),
        Row(
            "progress never",
            Fault(progress: { APIProgress(.download, completed: $0.completed, total: nil) }), "a total"),
        Row(
            "progress never",
            Fault(
                body: { $0.prefix(9) },
                progress: { _ in APIProgress(.download, completed: 1 << 20, total: 1 << 20) }), "the body"),
        Row(
            "a body longer", Fault(body: { $0.count < 5 ? Data("whole".utf8) : $0 }, end: { _ in nil }),
            "5 bytes"),
        Row("a body longer", Fault(body: { $0.count > 4 ? Data("mixed".utf8) : $0 }), "mixed up"),
        Row("a client keeps working", .extraByte, "the next response"),
        Row("a response without a body", .otherStatus, "HEAD 200"),
        Row("a response without a body", .extraByte, "HEAD 200"),
        Row("a response without a body", Fault(lostField: "content-encoding"), "no Content-Encoding"),
        Row("the case of a content coding", .extraByte, "gzip"),
        Row("a redirect without a usable host", .extraByte, "http://127.0.0.1:65536/"),
        Row("a redirect without a usable host", .otherStatus, "http://127.0.0.1:65536/"),
        Row("the coding identity", .extraByte, "identity: plain!"),
        Row("the fields of an informational", .extraByte, "Content-Encoding: gzip"),
        Row("the head, the pieces", .noBody, "[\"200\", \"end\"]"),
        Row("the head, the pieces", .otherError, "cancelled"),
        Row("a silence longer", .noBody, "slow: "),
        Row("an upload that cannot be read again", .otherStatus, "not the server's 503"),
    ]

    /// Requests that end with another error than the check asks for.
    static let otherErrors = [
        Row("a body that ends before", .otherError, "/cut"),
        Row("a silence longer", .otherError, "/hang: "),
        Row("a port without", .otherError, "not `unreachable`"),
        Row("a response that ends after its head", .otherError, "not `broken`"),
        Row("a URL with an invalid port", .otherError, "not `local`"),
        Row("a response that is not HTTP", .otherError, "not `broken`"),
    ]

    static let errors =
        [
            "a body that ends before", "a damaged compressed", "conflicting Content-Length",
            "a dropped connection",
            "a port without", "an informational response without", "a status below 100",
            "a URL with an invalid port", "a response that ends after its head", "bytes in a coding",
            "a Content-Length that is not", "a response that is not HTTP",
        ].map { Row($0, .hiddenErrors, "no error, but 0 bytes") }

    /// Faults that concern one of the responses of a check.
    static let single =
        [301, 302, 303, 307, 308].flatMap { status in
            let path = "/redirect/\(status)"
            return [
                Row("a redirect within", .lost("Authorization").only(path), "\(status)"),
                Row(
                    "a redirect to another origin drops the credentials", .lost("X-Kept").only(path),
                    "\(status): "),
                Row("a redirect drops the fields", .lost("X-Kept").only(path), "\(status) dropped a field"),
            ]
        }
        + [200, 201, 204, 304, 400, 401, 404, 429, 500, 503].map { status in
            Row("a response with any status", .otherStatus.only("/status/\(status)"), "\(status): ")
        }
        + [200, 204, 304, 404].map { status in
            Row("a response without a body", .otherStatus.only("/\(status)"), " \(status): ")
        }
        + ["gzip", "GZIP", "x-gzip", "X-Gzip"].map { coding in
            Row("the case of a content coding", .extraByte.only("/\(coding)"), coding)
        }
        + ["/cut", "/cut-chunked"].map { path in
            Row("a body that ends before", .hiddenErrors.only(path), "no error")
        }
        + ["/drop", "/garbage"].map { path in
            Row("a dropped connection", .hiddenErrors.only(path), "no error")
        }

    static let bodies = [
        Row("a file is uploaded", Fault(end: { _ in .cancelled }), "cancelled"),
        Row("a file is uploaded", .extraByte, "a different body"),
        Row(
            "a file is uploaded",
            Fault(progress: { APIProgress(.upload, completed: min($0.completed, 9), total: $0.total) }), "9"),
        Row(
            "a file is uploaded",
            Fault(progress: { APIProgress(.download, completed: $0.completed, total: $0.total) }), "download"),
        Row("a sequence is uploaded", Fault(end: { _ in .cancelled }), "cancelled"),
        Row("a sequence is uploaded", .extraByte, "a different body"),
        Row("a sequence is uploaded", Fault(end: { $0.map { _ in .cancelled } }), "not a local error"),
        Row("a download replaces", .extraByte, "11 bytes"),
        Row(
            "a download replaces", Fault(status: { $1.url?.path() == "/file" ? 404 : $0 }), "1000 bytes"),
        Row(
            "a download replaces", Fault(lostField: "content-length", end: { _ in nil }),
            "a truncated download"),
        Row(
            "a download replaces", Fault(body: { $0.count == 1_000 ? Data(count: 1_000) : $0 }), "wrong bytes"
        ),
        Row("an upload of a missing file", .hiddenErrors, "not `local`"),
        Row("an upload of a missing file", Fault(times: 2), "the server received a request"),
        Row("a sequence that can be read only once", Fault(end: { _ in .cancelled }), "not `local`"),
        Row("a sequence that can be read only once", Fault(upload: { _ in .data(Data()) }), "the server got"),
    ]

    static let ranges = [
        Row("data contains", .otherBytes, "success"),
        Row("a file contains", .otherBytes, "success"),
        Row("a resumed download delivers", .otherBytes, "xxxxxxxxxx"),
        Row("a resumed download delivers", .hiddenErrors, "success"),
        Row("a resumed download knows", .hiddenErrors, "success"),
    ]

    @Test(
        "The check of a configured credential field reports a client without it, or one that loses another field"
    )
    func namedCredential() async throws {
        let inner = URLSessionAPIClient(redirects: RedirectPolicy(credentialFields: ["X-Session"]))
        for (client, report) in [
            (FaultyClient(fault: Fault()), "authorization"),
            (FaultyClient(inner: inner, fault: .lost("X-Kept")), "301: "),
            (FaultyClient(inner: inner, fault: .appended("secret of Cookie")), "301 to http"),
        ] {
            let violation = await #expect(throws: APIClientConformance.Violation.self) {
                try await APIClientConformance.namedCredential.run(client)
            }
            #expect(violation?.description.contains(report) == true)
        }
    }

    @Test(
        "The faulty server closes the connection after the head of a response",
        arguments: ["/cut", "/cut-chunked"])
    func cut(path: String) async throws {
        let server = try LoopbackServer.faulty()
        let answer = await URLSessionAPIClient().collected(
            URLRequest(url: server.url(path)), limit: nil, nil)
        #expect(answer.response?.statusCode == 200)
        guard case .failure(.broken) = answer.result else {
            Issue.record("\(answer.result)")
            return
        }
    }

    @Test("The faulty server sends a half of a body before it falls silent")
    func silence() async throws {
        let server = try LoopbackServer.faulty()
        let (pieces, continuation) = AsyncStream<Data>.makeStream()
        let task = URLSessionAPIClient().createStreamRequest(
            request: URLRequest(url: server.url("/hang-body")), upload: nil, progressHandler: nil
        ) { event in
            if case .piece(let piece) = event { continuation.yield(piece) }
            if case .end = event { continuation.finish() }
        }
        task.resume()
        #expect(await pieces.first { _ in true } == Data("half".utf8))
        task.cancel()
    }

    @Test(
        "A check reports a client with a fault",
        arguments: requests + responses + errors + otherErrors + single + bodies + ranges)
    func reports(_ row: Row) async throws {
        let check = try #require(APIClientConformance.checks.first { $0.description.hasPrefix(row.check) })
        let violation = await #expect(throws: APIClientConformance.Violation.self) {
            try await check.run(FaultyClient(fault: row.fault))
        }
        #expect(violation?.description.contains(row.report) == true, "\(violation?.description ?? "")")
    }
}
