import Links
import Testing

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
                == "hybridWebView/fetch, parameter \"title\" is missing, expected String. The call needs it. "
                + "Pass a suitable value for \"title\", or read it with a default.")
        let text = #expect(throws: ParameterError.self) { try parameters.required("text", as: Int.self) }
        #expect(text?.found == "the text \"three\"")
    }
}
