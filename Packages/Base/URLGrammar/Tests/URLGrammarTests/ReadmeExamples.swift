import Testing
import URLGrammar

func journeys(_ text: String) throws -> [String] {
    let url = try AppURL(text)  // app://journey/list?limit=20&tag=a&tag=b
    let parameters = Parameters(url.queryValues(), of: "journey/list")
    let limit = parameters.param("limit", 10)  // 20, converted to the default's type
    let tags = parameters.param("tag", [String]())  // ["a", "b"], because the name is repeated
    let city = try parameters.required("city", as: String.self)  // throws: parameter "city" is missing
    return tags.map { "\(limit) journeys in \(city), \($0)" }
}

@Suite("The example in the README of URLGrammar") struct ReadmeExamples {
    @Test("The README's example reads typed values, and its error names the missing parameter")
    func reads() throws {
        let found = try journeys("app://journey/list?limit=20&tag=a&tag=b&city=Chengdu")
        #expect(found == ["20 journeys in Chengdu, a", "20 journeys in Chengdu, b"])
        let error = #expect(throws: ParameterError.self) {
            try journeys("app://journey/list?limit=20&tag=a&tag=b")
        }
        #expect(error?.key == "city")
        #expect(error?.owner == "journey/list")
    }
}
