import Routes
import Testing

@Suite("Printing URLs of routes") struct PrintingTests {
    private func refusal(_ pattern: String, _ parameters: [String: any Sendable]) throws -> RouteError? {
        let pattern = try RoutePattern(pattern)
        do throws(RouteError) {
            _ = try pattern.url(parameters)
            return nil
        } catch {
            return error
        }
    }

    @Test("Path parameters are printed in the path, and all other parameters in the query, sorted by name")
    func printing() throws {
        let pattern = try RoutePattern("app://journey/:id<int>(/day/:day(/:part))/*rest")
        func print(_ parameters: [String: any Sendable]) throws -> String {
            try pattern.url(parameters).description
        }
        #expect(try print(["id": 7, "rest": ["a", "b/c"]]) == "app://journey/7/a/b%2Fc")
        #expect(try print(["id": 7, "day": "d", "rest": "a"]) == "app://journey/7/day/d/a")
        #expect(
            try print(["id": 7, "rest": ["a"], "z": true, "b": ["1", "2"], "c": "x y"])
                == "app://journey/7/a?b=1&b=2&c=x%20y&z=true")
        #expect(try RoutePattern("bybus_vc").url().description == "bybus_vc")
        #expect(try RoutePattern("app:/a").url().description == "app:/a")
        #expect(try RoutePattern("/").url().description == "/")
        #expect(try RoutePattern("a/:x<double>").url(["x": 5]).description == "a/5")
    }

    @Test("A parameter that cannot be printed and parsed back is rejected with an error that names its key")
    func refusals() throws {
        #expect(try refusal("a/:x", [:])?.key == "x")
        #expect(try refusal("a/:x", [:])?.code == .badParameter)
        #expect(try refusal("a/:x<int>", ["x": "b"])?.code == .badParameter)
        #expect(
            try refusal("a/:x<int>", ["x": "b"])?.description.contains(
                "the parameter \"x\" is the text \"b\", expected int.") == true)
        #expect(try refusal("a/:x", ["x": ""])?.code == .notPrintable)
        #expect(try refusal("a/:x", ["x": ["b", "c"]])?.code == .notPrintable)
        #expect(try refusal("a/*x", ["x": [String]()])?.code == .notPrintable)
        #expect(try refusal("a/:x", ["x": Double.nan])?.code == .badParameter)
        #expect(try refusal("a", ["@x": "1"])?.code == .notPrintable)
        #expect(try refusal("a", ["x": [String]()])?.code == .notPrintable)
        #expect(try refusal("a", ["x": PrintingTests()])?.code == .badParameter)
        #expect(try refusal("a(/:x/:y)", ["x": "1"])?.key == "x")
        #expect(
            try refusal("a(/:x/:y)", ["x": "1"])?.description.contains(
                "the parameter \"x\" is passed, but another parameter of its group is missing. A URL") == true
        )
        // The URL "a/b" would match the second group instead of the first.
        #expect(try refusal("a(/:x)(/b)", ["x": "b"])?.code == .notPrintable)
        #expect(try refusal("a/*x", ["x": [String(repeating: "b", count: 70_000)]])?.code == .notPrintable)
    }

    @Test("Patterns that differ only in spelling are equal, and their text is canonical")
    func equality() throws {
        #expect(try RoutePattern("APP://A//:x/(/b)/") == RoutePattern("app://A/:x(/b)"))
        #expect(try RoutePattern("a/:x") != RoutePattern("a/:y"))
        #expect(try RoutePattern("a%2Fb/%3Ax").description == "a%2Fb/%3Ax")
        #expect(try RoutePattern("app:/").description == "app:/")
        for text in ["(/(/a)/b)", "(/(/(/a)/b)/c)", "app:/(/(/:x)/b)", "a(/(/b)/c)"] {
            #expect(try RoutePattern(RoutePattern(text).description) == RoutePattern(text))
            #expect(try RoutePattern(text).description == text)
        }
    }
}
