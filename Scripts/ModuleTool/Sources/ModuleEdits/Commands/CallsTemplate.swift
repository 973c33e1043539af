import SwiftSyntax

/// Generates the calls of a new module to other modules: the body of its `askOthers()`, and the tests for it.
struct CallsTemplate {
    /// The module that makes the calls.
    let caller: String
    /// The Apis to call, with the folders of their packages relative to the caller's folder.
    let calls: [(api: ApiProtocol, path: String)]

    var callees: [String] { calls.map(\.api.module) }

    /// Whether a protocol requirement is `askOthers()`, which ``body`` implements.
    static func isAskOthers(_ requirement: DeclSyntax) -> Bool {
        guard let function = requirement.as(FunctionDeclSyntax.self) else { return false }
        return function.name.text == "askOthers" && function.modifiers.isEmpty
            && function.signature.trimmedDescription == "() -> [String?]"
    }

    /// The body of `askOthers()`: an array with one result from each called module.
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

    /// The first members of the calling type: the center and the initializer.
    static let center = """
            private unowned let center: ApiCenter

            init(center: ApiCenter) {
                self.center = center
            }
        """

    /// Fakes of the called Apis, for the tests.
    var fakes: String {
        calls.map { api, _ in
            "/// A fake of \(api.module), for the calls of \(caller).\n"
                + Conformance.fake(of: api, named: "Fake\(api.module)", caller: caller).text + "\n\n"
        }.joined()
    }

    /// The tests of `askOthers()`.
    ///
    /// - Parameter asked: An expression for the value on which the tests call `askOthers()`.
    func tests(asking asked: String) -> String {
        let answers = calls.map {
            $0.api.question == nil ? "\"\($0.api.module) is here\"" : "\"fake \($0.api.module)\""
        }
        return """
                @Test("calls other modules only through their Apis")
                func asksOthers() throws {
            \(callees.map(registration).joined(separator: "\n"))
            \(expectation(answers, asked))
                }

                @Test("works without a module that is not in the app")
                func survivesAbsence() throws {
            \(callees.dropFirst().map(registration).map { $0 + "\n" }.joined())\
            \(expectation(["nil"] + answers.dropFirst(), asked))
                }
            """
    }

    private func registration(_ other: String) -> String {
        let head = "        center.register(\(other)ApiProtocol.self) {"
        return Layout.fitting("\(head) Fake\(other)() }", "\(head)\n            Fake\(other)()\n        }")
    }

    private func expectation(_ answers: [String], _ asked: String) -> String {
        "        let answers = \(asked).askOthers()\n"
            + Layout.fitting(
                "        #expect(answers == [\(answers.joined(separator: ", "))])",
                "        #expect(\n            answers == \(Layout.array(answers, indentation: 12)))")
    }
}
