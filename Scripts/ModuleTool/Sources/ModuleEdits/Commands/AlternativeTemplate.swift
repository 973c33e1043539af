/// The files of another IMP of a pair's Api.
struct AlternativeTemplate {
    let name: String
    /// The folder below the root: `Packages/Business/PayTypeCashless`.
    let folder: String
    /// The Api, and the folder of its package relative to ``folder``.
    let api: (api: ApiProtocol, path: String)
    /// The Apis it calls, with the folders of their packages relative to ``folder``.
    var calls: [(api: ApiProtocol, path: String)] = []

    private var base: String { api.api.module }

    /// The IMP, which answers for itself and does nothing else yet.
    var conformance: Conformance {
        Conformance(
            api: api.api, type: name + "Service", kind: "final class", answer: "I am \(name).",
            refusal: "\(name) does not do this yet.")
    }

    private var asking: CallsTemplate { CallsTemplate(caller: name, calls: calls) }

    /// Whether the Api itself asks for `askOthers()`, as that of a pair does which was made with calls.
    private var isAskedByApi: Bool {
        api.api.requirements.contains { CallsTemplate.isAskOthers($0) }
    }

    var changes: [Change] {
        let dependencies = ["../../Base/Lifecycle", "../../Core/ApiCenter", api.path] + calls.map(\.path)
        return [
            .write(
                path: "\(folder)/Package.swift",
                contents: ManifestTemplate(name: name, dependencies: dependencies, isTested: true).text),
            .write(
                path: "\(folder)/Sources/\(name)/\(name)Module.swift",
                contents: ModuleTemplate(name: name, api: base, needsCenter: !calls.isEmpty).text),
            .write(path: "\(folder)/Sources/\(name)/\(name)Service.swift", contents: service),
            .write(path: "\(folder)/Tests/\(name)Tests/\(name)Tests.swift", contents: tests),
        ]
    }

    private var service: String {
        let head = """
            /// Another IMP of \(base)'s Api: an object, built once for everybody.

            """
        guard !calls.isEmpty else {
            return Layout.imports([base + "Api"] + api.api.imports) + "\n\n" + head + conformance.text + "\n"
        }
        let imports = ["ApiCenter", base + "Api"] + asking.callees.map { $0 + "Api" } + api.api.imports
        let members = conformance.members { !CallsTemplate.isAskOthers($0) }.map { "    \($0)\n" }.joined()
        let comment = Layout.comment(
            "Asks the others. \(base)'s Api does not offer this: use the answers where it needs them.",
            prefix: "    /// ")
        return """
            \(Layout.imports(imports))

            \(head)final class \(name)Service: \(base)ApiProtocol {
            \(CallsTemplate.center)

            \(members.isEmpty ? "" : members + "\n")\(isAskedByApi ? "" : comment + "\n")    func askOthers() -> [String?] {
            \(asking.body)
                }
            }

            """
    }

    private var tests: String {
        let question = api.api.question.map {
            "        let api = try center.requireApi(type: \(base)ApiProtocol.self)\n"
                + "        #expect(api.\($0.call) == \"I am \(name).\")"
        }
        let asked =
            isAskedByApi
            ? "try center.requireApi(type: \(base)ApiProtocol.self)" : "\(name)Service(center: center)"
        let callTests = calls.isEmpty ? "" : "\n\n" + asking.tests(asking: asked)
        return """
            \(testImports)

            \(asking.fakes)@Suite("\(name)")
            struct \(name)Tests {
                let center = ApiCenter()

                init() {
                    \(name)Module().register(in: center)
                }

                @Test("answers in \(base)'s place")
                func answers() throws {
            \(question ?? "        _ = try center.requireApi(type: \(base)ApiProtocol.self)")
                }\(callTests)
            }

            """
    }

    private var testImports: String {
        let modules =
            ["ApiCenter", "Testing", base + "Api"] + asking.callees.map { $0 + "Api" }
            + calls.flatMap(\.api.imports)
        // Its own method is seen by its own tests alone.
        return calls.isEmpty || isAskedByApi
            ? Layout.imports(modules + [name]) : Layout.imports(modules) + "\n\n@testable import \(name)"
    }
}
