import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APICache
@testable import APIService
@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Request parameters")
struct ParameterTests {
    @Test("Parameters can be written as nested literals of mixed types, with variables wrapped in .init")
    func literals() {
        let id = 7
        let name: String? = nil
        let parameters: APIParameters = [
            "page": 1, "price": 1.5, "on": true, "text": "x\(id)", "none": nil, "list": [1, "two", [3]],
            "object": ["a": ["b": 2]], "id": .init(id), "name": .init(name),
        ]
        #expect(parameters["page"] == .int(1))
        #expect(parameters["price"] == .double(1.5))
        #expect(parameters["on"] == .bool(true))
        #expect(parameters["text"] == .string("x7"))
        #expect(parameters["none"] == .null)
        #expect(parameters["list"] == .array([.int(1), .string("two"), .array([.int(3)])]))
        #expect(parameters["object"] == .object(["a": .object(["b": .int(2)])]))
        #expect(parameters["id"] == .int(7))
        #expect(parameters["name"] == .null)
    }

    @Test(
        "A variable keeps its value, and an optional one without a value is null",
        arguments: [
            (.init(true), .bool(true)), (.init(Double(1)), .double(1)),
            (.init("text".dropFirst()), .string("ext")),
            (.init([APIParameterValue.int(1), .null]), .array([.int(1), .null])),
            (.init(["a", "b"]), .array([.string("a"), .string("b")])),
            (.init([1, 2]), .array([.int(1), .int(2)])),
            (.init(APIParameters(["a": 1])), .object(["a": .int(1)])),
            (.init("a" as String?), .string("a")), (.init(1 as Int?), .int(1)), (.init(nil as Int?), .null),
            (.init(Decimal(Int64.max)), .int(.max)), (.init(Decimal(0.5)), .double(0.5)),
        ] as [(APIParameterValue, APIParameterValue)])
    func variables(value: APIParameterValue, expected: APIParameterValue) {
        #expect(value == expected)
    }

    @Test("A value can be set and removed, and of equal names the last value is used")
    func names() {
        var parameters: APIParameters = ["a": 1, "a": 2, "b": ["c": 1, "c": 2]]
        #expect(parameters == ["a": 2, "b": ["c": 2]])
        parameters["a"] = nil
        parameters["d"] = 3
        #expect(parameters == ["b": ["c": 2], "d": 3])
        #expect(parameters.merging(["d": 4, "e": 5]) == ["b": ["c": 2], "d": 4, "e": 5])
    }

    @Test("Without parameters, or with null alone, a request keeps its query and its body")
    func unchanged() throws {
        let request = URLRequest(url: url("http://h/p?z=0"))
        for parameters in [nil, [:]] as [APIParameters?] {
            #expect(try APIURLEncoding.default.encode(request, with: parameters) == request)
        }
        #expect(try APIURLEncoding.default.encode(request, with: ["n": nil]) == request)
        #expect(try APIJSONEncoding.default.encode(request, with: nil) == request)
        #expect(try APIJSONEncoding.default.encode(request, with: [:]).httpBody == Data("{}".utf8))
    }

    @Test("Encoding a struct yields one parameter per property, and encoding an array throws")
    func encodable() throws {
        struct Query: Encodable { let page: Int; let tags: [String] }
        let parameters = try APIParameters(encoding: Query(page: 2, tags: ["a"]))
        #expect(parameters == ["page": 2, "tags": ["a"]])
        #expect(throws: (any Error).self) { try APIParameters(encoding: [1, 2]) }
    }

    private struct Numbers: APIRequest {
        typealias Response = Data
        struct Values: Encodable {
            var id = UInt64.max
            var price = Decimal(string: "12345678901234567890.123456789") ?? 0
            var half = 0.1
            var count = Decimal(12)
        }
        let baseURL: URL
        var path: String { "/echo" }
        var method: APIRequestMethod { .post }
        var encoding: any APIParameterEncoding
        var parameters: APIParameters? {
            get throws {
                try APIParameters(encoding: Values()).merging(["n": .init(UInt64.max), "s": .init(Int8(-1))])
            }
        }
    }

    @Test(
        "Numbers reach the server with all their digits",
        arguments: [
            (
                APIJSONEncoding.default as any APIParameterEncoding,
                #"{"count":12,"half":0.1,"id":18446744073709551615,"n":18446744073709551615,"#
                    + #""price":12345678901234567890.123456789,"s":-1}"#
            ),
            (
                APIURLEncoding.default,
                "count=12&half=0.1&id=18446744073709551615&n=18446744073709551615"
                    + "&price=12345678901234567890.123456789&s=-1"
            ),
        ])
    func digits(encoding: any APIParameterEncoding, body: String) async throws {
        let server = try LoopbackServer.faulty()
        let service = APIService(client: URLSessionAPIClient(), config: testSettings())
        _ = try await service.sendRequest(Numbers(baseURL: server.url(""), encoding: encoding))
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [body])
    }

    private struct List: APIRequest {
        typealias Response = Data
        let baseURL: URL
        var path: String { "/echo" }
        var method: APIRequestMethod { .post }
        var body = [["id": UInt64.max], [:]]
    }

    @Test("A body may be an array")
    func array() async throws {
        let server = try LoopbackServer.faulty()
        let service = APIService(client: URLSessionAPIClient(), config: testSettings())
        _ = try await service.sendRequest(List(baseURL: server.url("")))
        let request = try #require(server.requests.first)
        #expect(String(decoding: request.body, as: UTF8.self) == #"[{"id":18446744073709551615},{}]"#)
        #expect(request.fields["content-type"] == "application/json")
    }

    @Test("A request with a body of its own cannot also upload or download, and is not sent")
    func twoBodies() async {
        struct Both: APIRequest {
            typealias Response = Data
            let baseURL = url("http://h")
            var path: String { "/" }
            var method: APIRequestMethod { .put }
            var body = [1]
            var taskType: APIRequestTaskType { .upload(.data(Data())) }
        }
        let stub = StubAPIClient { _ in .text("") }
        let service = APIService(client: stub, config: testSettings())
        let error = await service.response(to: Both()).result.error
        #expect(
            error
                == .requestError(
                    .unsupported("a request with a body of its own cannot be an upload or a download")))
        #expect(stub.requests.isEmpty)
    }

    @Test("The query is percent-encoded and canonically ordered in every array and Bool style")
    func query() throws {
        let parameters: APIParameters = ["b": [1, 2], "a&": "1 +é", "c": ["y": false, "x": true], "n": nil]
        #expect(
            try APIURLEncoding.default.query(parameters)
                == "a%26=1%20%2B%C3%A9&b%5B%5D=1&b%5B%5D=2&c%5Bx%5D=1&c%5By%5D=0")
        #expect(
            try APIURLEncoding(arrays: .indexed, bools: .literal).query(["b": [1, true]])
                == "b%5B0%5D=1&b%5B1%5D=true")
        #expect(try APIURLEncoding(arrays: .repeated).query(["b": [1, 2]]) == "b=1&b=2")
        #expect(throws: APIRequestError.self) { try APIURLEncoding.default.query(["x": .double(.nan)]) }
    }

    @Test(
        "The parameter encoding and the HTTP method decide whether parameters go into the query or the body",
        arguments: [
            ("GET", APIURLEncoding.default, "http://h/p?z=0&a=1#f", nil),
            ("POST", .default, "http://h/p?z=0#f", "a=1"),
            ("POST", .queryString, "http://h/p?z=0&a=1#f", nil),
            ("GET", .httpBody, "http://h/p?z=0#f", "a=1"),
        ])
    func destination(method: String, encoding: APIURLEncoding, expected: String, body: String?) throws {
        var request = URLRequest(url: url("http://h/p?z=0#f"))
        request.httpMethod = method
        let encoded = try encoding.encode(request, with: ["a": 1])
        #expect(encoded.url?.absoluteString == expected)
        #expect(encoded.httpBody.map { String(decoding: $0, as: UTF8.self) } == body)
        #expect((encoded.value(forHTTPHeaderField: "Content-Type") != nil) == (body != nil))
    }

    @Test("A JSON body is canonical with sorted keys, and encoding a non-finite number throws")
    func json() throws {
        let parameters: APIParameters = ["b": [1, 2.5, nil], "a": "\"\\\n\u{1}é", "c": ["y": false]]
        let request = try APIJSONEncoding.default.encode(URLRequest(url: url("http://h")), with: parameters)
        let body = try #require(request.httpBody)
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"a":"\"\\\n\u0001é","b":[1,2.5,null],"c":{"y":false}}"#)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(throws: APIRequestError.self) {
            try APIJSONEncoding.default.encode(request, with: ["x": .double(.infinity)])
        }
        #expect(throws: APIRequestError.self) {
            try APIJSONEncoding.default.encode(request, with: ["x": .decimal(.nan)])
        }
    }

    @Test(
        "Parameters survive a JSON round trip, and equal parameters encode to equal bytes"
    )
    func jsonRoundTrip() throws {
        var random = SeededRandom(1)
        for _ in 0..<300 {
            let values = random.object(depth: 3)
            let data = try json(values)
            #expect(try JSONDecoder().decode([String: APIParameterValue].self, from: data) == values)
            let rebuilt = Dictionary(uniqueKeysWithValues: values.map { ($0, $1) }.shuffled(using: &random))
            #expect(try json(rebuilt) == data)
        }
    }

    private func json(_ values: [String: APIParameterValue]) throws -> Data {
        let request = URLRequest(url: url("http://h"))
        return try #require(
            try APIJSONEncoding.default.encode(request, with: APIParameters(values)).httpBody)
    }

    @Test("Percent-encoding is reversible, and canonicalization is idempotent")
    func escaping() {
        var random = SeededRandom(2)
        for _ in 0..<500 {
            let text = random.text()
            let escaped = PercentEncoding.escape(text)
            #expect(escaped.removingPercentEncoding == text)
            var canonical: [UInt8] = []
            PercentEncoding.append(canonical: text.utf8, to: &canonical)
            var again: [UInt8] = []
            PercentEncoding.append(canonical: canonical, to: &again)
            #expect(again == canonical)
        }
    }

    @Test("Header fields are case-insensitive and keep their order")
    func headers() {
        var headers: APIHeaders = ["B": "1", "a": "2"]
        headers["b"] = "3"
        headers["A"] = nil
        headers["c"] = "4"
        #expect(headers.map(\.name) == ["b", "c"])
        #expect(headers["B"] == "3")
        #expect(headers == ["C": "4", "B": "3"])
    }
}

/// Generators of random parameters.
extension SeededRandom {
    mutating func text() -> String {
        let letters: [Character] = [
            "a", "Z", "0", "%", "&", "=", "+", " ", "/", "é", "汉", "\"", "\\", "\n", "~", "#",
        ]
        return String(
            (0..<Int.random(in: 0...8, using: &self)).map { _ in
                pick(letters)
            })
    }

    mutating func object(depth: Int) -> [String: APIParameterValue] {
        var values: [String: APIParameterValue] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &self) { values[text()] = value(depth: depth) }
        return values
    }

    mutating func value(depth: Int) -> APIParameterValue {
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &self) {
        case 0: .null
        case 1: .bool(.random(using: &self))
        case 2: .int(.random(in: .min ... .max, using: &self))
        case 3: .double(Double.random(in: -10...10, using: &self) + 0.123)
        case 4: .string(text())
        case 5: .array((0..<3).map { _ in value(depth: depth - 1) })
        default: .object(object(depth: depth - 1))
        }
    }
}
