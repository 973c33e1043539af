/// Generates the files of an alternative IMP, which implements the Api of an existing pair.
struct AlternativeTemplate {
    let name: String
    /// The new package's folder, relative to the root: `Packages/Business/PayTypeCashless`.
    let folder: String
    /// The Api to implement, and the folder of its package relative to ``folder``.
    let api: (api: ApiProtocol, path: String)
    /// The Apis to call, with the folders of their packages relative to ``folder``.
    var calls: [(api: ApiProtocol, path: String)] = []

    private var base: String { api.api.module }

    /// The generated IMP, a stub: only the requirement ``ApiProtocol/question`` is implemented, and returns
    /// the IMP's name.
    var conformance: Conformance {
        Conformance(
            api: api.api, type: name + "Service", kind: "final class", answer: "I am \(name).",
            refusal: "\(name) does not implement this yet.")
    }

    private var asking: CallsTemplate { CallsTemplate(caller: name, calls: calls) }

    /// Whether the Api requires `askOthers()`, as it does if its pair was generated with calls.
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
            /// An alternative implementation of \(base)Api. One instance serves all callers.

            """
        guard !calls.isEmpty else {
            return Layout.imports([base + "Api"] + api.api.imports) + "\n\n" + head + conformance.text + "\n"
        }
        let imports = ["ApiCenter", base + "Api"] + asking.callees.map { $0 + "Api" } + api.api.imports
        let members = conformance.members { !CallsTemplate.isAskOthers($0) }.map { "    \($0)\n" }.joined()
        let comment = Layout.comment(
            "Asks the other modules. As \(base)Api lacks this method, call it from one of the Api's methods.",
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

                @Test("implements \(base)Api")
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
        // A method outside the Api is internal, so its tests need `@testable`.
        return calls.isEmpty || isAskedByApi
            ? Layout.imports(modules + [name]) : Layout.imports(modules) + "\n\n@testable import \(name)"
    }
}
