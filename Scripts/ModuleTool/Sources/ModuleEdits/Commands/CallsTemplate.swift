import SwiftSyntax

/// What a generated module writes to ask others: the body of its `askOthers()`, and the tests of that.
struct CallsTemplate {
    /// The module that asks.
    let caller: String
    /// The Apis it asks, with the folders of their packages relative to its own.
    let calls: [(api: ApiProtocol, path: String)]

    var callees: [String] { calls.map(\.api.module) }

    /// Whether a protocol's requirement is the one that the body serves.
    static func isAskOthers(_ requirement: DeclSyntax) -> Bool {
        guard let function = requirement.as(FunctionDeclSyntax.self) else { return false }
        return function.name.text == "askOthers" && function.modifiers.isEmpty
            && function.signature.trimmedDescription == "() -> [String?]"
    }

    /// The body's lines: an array of answers.
    var body: String {
        let questions = calls.map { api, _ in
            let asked = "center.api(type: \(api.name).self)"
            guard let question = api.question else {
                return Layout.fitting(
                    "            \(asked).map { _ in \"\(api.module) is here\" },",
                    "            \(asked)\n                .map { _ in \"\(api.module) is here\" },")
            }
            return Layout.fitting(
                "            \(asked)?.\(question.call),",
                "            \(asked)?\n                .\(question.call),")
        }
        let list = questions.count == 1 ? String(questions[0].dropLast()) : questions.joined(separator: "\n")
        return "        [\n\(list)\n        ]"
    }

    /// The beginning of the type that asks, with its center.
    static let center = """
            private unowned let center: ApiCenter

            init(center: ApiCenter) {
                self.center = center
            }
        """

    /// What stands in for the others in tests.
    var fakes: String {
        calls.map { api, _ in
            "/// \(api.module), as far as \(caller) asks it.\n"
                + Conformance.fake(of: api, named: "Fake\(api.module)", caller: caller).text + "\n\n"
        }.joined()
    }

    /// The tests, which ask by `asked`: an expression for what has `askOthers()`.
    func tests(asking asked: String) -> String {
        let answers = calls.map {
            $0.api.question == nil ? "\"\($0.api.module) is here\"" : "\"fake \($0.api.module)\""
        }
        return """
                @Test("asks the others through their Apis alone")
                func asksOthers() throws {
            \(callees.map(registration).joined(separator: "\n"))
            \(expectation(answers, asked))
                }

                @Test("goes on without a module that is not in the app")
                func survivesAbsence() throws {
            \(callees.dropFirst().map(registration).map { $0 + "\n" }.joined())\
            \(expectation(["nil"] + answers.dropFirst(), asked))
                }
            """
    }

    private func registration(_ other: String) -> String {
        let head = "        center.registerApi(type: \(other)ApiProtocol.self) {"
        return Layout.fitting("\(head) Fake\(other)() }", "\(head)\n            Fake\(other)()\n        }")
    }

    private func expectation(_ answers: [String], _ asked: String) -> String {
        "        let answers = \(asked).askOthers()\n"
            + Layout.fitting(
                "        #expect(answers == [\(answers.joined(separator: ", "))])",
                "        #expect(\n            answers == \(Layout.array(answers, indentation: 12)))")
    }
}
