/// The files of a new pair, as a careful person would write them.
struct PairTemplate {
    let name: String
    /// The folder below the root: `Packages/Business/Wallet`.
    let folder: String
    /// The Apis it calls, with the folders of their packages relative to ``folder``.
    let calls: [(api: ApiProtocol, path: String)]

    /// What its Api offers, for the first change note.
    var note: String {
        "First release: `introduction()`\(calls.isEmpty ? "" : " and `askOthers()`")."
    }

    var changes: [Change] {
        let api = name + "Api"
        let dependencies =
            ["../../Base/Lifecycle", "../../Core/ApiCenter", "../\(api)"] + calls.map(\.path)
        return [
            .write(
                path: "\(folder)Api/Package.swift",
                contents: ManifestTemplate(name: api, dependencies: [], isTested: false).text),
            .write(path: "\(folder)Api/Sources/\(api)/\(api)Protocol.swift", contents: apiProtocol),
            .write(
                path: "\(folder)/Package.swift",
                contents: ManifestTemplate(name: name, dependencies: dependencies, isTested: true).text),
            .write(
                path: "\(folder)/Sources/\(name)/\(name)Module.swift",
                contents: ModuleTemplate(name: name, api: name, needsCenter: !calls.isEmpty).text),
            .write(path: "\(folder)/Sources/\(name)/\(name)Service.swift", contents: service),
            .write(path: "\(folder)/Tests/\(name)Tests/\(name)Tests.swift", contents: tests),
        ]
    }

    private var callees: [String] { calls.map(\.api.module) }

    private var apiProtocol: String {
        let answers = callees.count == 1 ? "Its answer" : "Their answers, in this order"
        let others = """


            \(Layout.comment("Asks \(Layout.list(callees)).", prefix: "    /// "))
                ///
                /// - Returns: \(answers); nil for a module that is not in this app.
                func askOthers() -> [String?]
            """
        return """
            /// What other modules may ask of \(name).
            ///
            /// Every call is safe from any task.
            public protocol \(name)ApiProtocol: Sendable {
                /// Who answers, in one line.
                func introduction() -> String\(calls.isEmpty ? "" : others)
            }

            """
    }

    private var service: String {
        let head = """
            /// \(name)'s IMP: an object, built once for everybody.
            final class \(name)Service: \(name)ApiProtocol {
            """
        let introduction = "    func introduction() -> String { \"I am \(name).\" }"
        guard !calls.isEmpty else {
            return "import \(name)Api\n\n\(head)\n\(introduction)\n}\n"
        }
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
        return """
            \(Layout.imports(["ApiCenter", name + "Api"] + callees.map { $0 + "Api" }))

            \(head)
                private unowned let center: ApiCenter

                init(center: ApiCenter) {
                    self.center = center
                }

            \(introduction)

                func askOthers() -> [String?] {
                    [
            \(list)
                    ]
                }
            }

            """
    }

    private var tests: String {
        let extra = calls.flatMap(\.api.imports)
        let fakes = calls.map { api, _ in
            "/// \(api.module), as far as \(name) asks it.\n"
                + Conformance.fake(of: api, named: "Fake\(api.module)", caller: name).text + "\n\n"
        }
        let modules = ["ApiCenter", "Testing", name, name + "Api"] + callees.map { $0 + "Api" } + extra
        return """
            \(Layout.imports(modules))

            \(fakes.joined())@Suite("\(name)")
            struct \(name)Tests {
                let center = ApiCenter()

                init() {
                    \(name)Module().register(in: center)
                }

                @Test("says who it is")
                func introduction() throws {
                    let api = try center.requireApi(type: \(name)ApiProtocol.self)
                    #expect(api.introduction() == "I am \(name).")
                }\(calls.isEmpty ? "" : "\n\n" + callTests)
            }

            """
    }

    private var callTests: String {
        let answers = calls.map {
            $0.api.question == nil ? "\"\($0.api.module) is here\"" : "\"fake \($0.api.module)\""
        }
        return """
                @Test("asks the others through their Apis alone")
                func asksOthers() throws {
            \(callees.map(registration).joined(separator: "\n"))
            \(expectation(answers))
                }

                @Test("goes on without a module that is not in the app")
                func survivesAbsence() throws {
            \(callees.dropFirst().map(registration).map { $0 + "\n" }.joined())\
            \(expectation(["nil"] + answers.dropFirst()))
                }
            """
    }

    private func registration(_ other: String) -> String {
        let head = "        center.registerApi(type: \(other)ApiProtocol.self) {"
        return Layout.fitting("\(head) Fake\(other)() }", "\(head)\n            Fake\(other)()\n        }")
    }

    private func expectation(_ answers: [String]) -> String {
        let asked = "        let answers = try center.requireApi(type: \(name)ApiProtocol.self).askOthers()\n"
        return asked
            + Layout.fitting(
                "        #expect(answers == [\(answers.joined(separator: ", "))])",
                "        #expect(\n            answers == \(Layout.array(answers, indentation: 12)))")
    }
}
