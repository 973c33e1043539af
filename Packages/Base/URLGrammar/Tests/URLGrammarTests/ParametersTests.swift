import Testing
import URLGrammar

@Suite("Parameters") struct ParametersTests {
    private let local: Parameters = ["id": 7, "ratio": 0.5, "on": true, "name": "乘车", "data": [UInt8(1), 2]]
    private let remote: Parameters = [
        "id": "7", "ratio": "0.5", "on": "1", "name": "乘车", "tags": ["a", "b"],
    ]

    @Test("A typed read gives the same result for a local caller's values and for a URL's strings")
    func typedReads() {
        for parameters in [local, remote] {
            #expect(parameters.param("id", 0) == 7)
            #expect(parameters.param("id", UInt8(0)) == 7)
            #expect(parameters.param("ratio", 0.0) == 0.5)
            #expect(parameters.param("ratio", Float(0)) == 0.5)
            #expect(parameters.param("on", false))
            #expect(parameters.param("name", "") == "乘车")
        }
        #expect(local.param("data", as: [UInt8].self) == [1, 2])
        #expect(local.param("id", 0.0) == 7)
        #expect(remote.param("tags", [String]()) == ["a", "b"])
        #expect(remote.param("name", [String]()) == ["乘车"])
        #expect(local["id"] as? Int == 7)
    }

    @Test("A typed read returns the default's type, even if the result is assigned to any Sendable")
    func typeIsTheDefaults() {
        let value: any Sendable = remote.param("id", 0)
        #expect(value as? Int == 7)
    }

    @Test("A typed read returns the default if the value is missing or cannot be converted")
    func defaults() {
        #expect(remote.param("absent", 3) == 3)
        #expect(remote.param("name", 3) == 3)
        #expect(remote.param("tags", "one") == "one")
        #expect(remote.param("absent", as: Int.self) == nil)
    }

    @Test(
        "Text that is not a number of the requested integer type gives nil and never traps",
        arguments: ["", " 1", "1 ", "256", "-1", "1.0", "0x10", "１", "99999999999999999999", "nan"])
    func badIntegers(text: String) {
        #expect(Parameters(["n": text]).param("n", as: UInt8.self) == nil)
    }

    @Test("Text that cannot be converted to a finite number, a Bool or a Character gives nil")
    func badTexts() {
        for text in ["nan", "inf", "-infinity", "1e999", "", "x"] {
            #expect(Parameters(["n": text]).param("n", as: Double.self) == nil)
            #expect(Parameters(["n": text]).param("n", as: Bool.self) == nil)
        }
        #expect(Parameters(["n": "1e300"]).param("n", as: Float.self) == nil)
        #expect(Parameters(["n": "ab"]).param("n", as: Character.self) == nil)
    }

    @Test("The error for a required parameter names the owner, the key, the expected type and the value")
    func required() throws {
        let parameters = Parameters(["url": 3, "text": "three"], of: "hybridWebView/fetch")
        #expect(try parameters.required("url", as: Int.self) == 3)
        #expect(
            throws: ParameterError(
                owner: "hybridWebView/fetch", key: "url", expected: "String", found: "Int 3")
        ) {
            try parameters.required("url", as: String.self)
        }
        let missing = #expect(throws: ParameterError.self) {
            try parameters.required("title", as: String.self)
        }
        #expect(
            missing?.description
                == "hybridWebView/fetch, parameter \"title\" is missing, expected String. "
                + "The call needs it. "
                + "Pass a suitable value for \"title\", or read it with a default.")
        let text = #expect(throws: ParameterError.self) { try parameters.required("text", as: Int.self) }
        #expect(text?.found == "the text \"three\"")
    }

    struct Order: Decodable, Equatable {
        struct Line: Decodable, Equatable {
            let name: String
            let price: Double?
        }
        enum Kind: String, Decodable { case ride, shop }
        let id: Int
        let kind: Kind
        let lines: [Line]
        let tags: [String]
        let note: String?
    }

    @Test("A Decodable type can be decoded from plain values and from strings")
    func decoding() throws {
        let plain: Parameters = [
            "id": 7, "kind": "ride",
            "lines": [["name": "a", "price": 1] as [String: any Sendable], ["name": "b"]],
            "tags": ["x"], "note": nil as String?,
        ]
        let expected = Order(
            id: 7, kind: .ride, lines: [.init(name: "a", price: 1), .init(name: "b", price: nil)],
            tags: ["x"],
            note: nil)
        #expect(try plain.decode(Order.self) == expected)
        let texts: Parameters = ["id": "7", "kind": "shop", "lines": [String](), "tags": "x", "note": "n"]
        #expect(
            try texts.decode(Order.self) == Order(id: 7, kind: .shop, lines: [], tags: ["x"], note: "n"))
    }

    @Test("A decoding error names the path of the value that cannot be decoded")
    func decodingErrors() {
        func key(_ parameters: Parameters) -> String? {
            do throws(ParameterError) {
                _ = try parameters.decode(Order.self)
                return nil
            } catch {
                return error.key
            }
        }
        #expect(key([:]) == "id")
        #expect(key(["id": "x"]) == "id")
        #expect(key(["id": 1, "kind": "plane"]) == "kind")
        #expect(key(["id": 1, "kind": "ride", "lines": 5]) == "lines")
        let lines: [[String: any Sendable]] = [["name": "a"], ["name": "b", "price": "much"]]
        #expect(key(["id": 1, "kind": "ride", "lines": lines]) == "lines.1.price")
    }

    @Test("A decoding error's message is a sentence")
    func decodingMessages() {
        func message<T: Decodable>(_ parameters: Parameters, as type: T.Type) -> String? {
            #expect(throws: ParameterError.self) { _ = try parameters.decode(type) }?.description
        }
        #expect(
            message([:], as: Order.self)?.hasPrefix(
                "parameter \"id\" is missing, expected a value that Order requires. The call needs it.")
                == true)
        let kind = message(["id": 1, "kind": "plane"], as: Order.self)
        #expect(kind?.hasPrefix("parameter \"kind\" is invalid (Cannot initialize Kind") == true)
        #expect(kind?.contains("), expected a value that Order accepts. The call needs it.") == true)
        #expect(
            message(["id": 1], as: Int.self)?.hasPrefix("the set of parameters is a value of type") == true)
    }
}
