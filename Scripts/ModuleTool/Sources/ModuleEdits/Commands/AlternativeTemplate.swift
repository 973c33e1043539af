/// The files of another IMP of a pair's Api.
struct AlternativeTemplate {
    let name: String
    /// The folder below the root: `Packages/Business/PayTypeCashless`.
    let folder: String
    /// The Api, and the folder of its package relative to ``folder``.
    let api: (api: ApiProtocol, path: String)

    private var base: String { api.api.module }

    /// The IMP, which answers for itself and does nothing else yet.
    var conformance: Conformance {
        Conformance(
            api: api.api, type: name + "Service", kind: "final class", answer: "I am \(name).",
            refusal: "\(name) does not do this yet.")
    }

    var changes: [Change] {
        let dependencies = ["../../Base/Lifecycle", "../../Core/ApiCenter", api.path]
        return [
            .write(
                path: "\(folder)/Package.swift",
                contents: ManifestTemplate(name: name, dependencies: dependencies, isTested: true).text),
            .write(
                path: "\(folder)/Sources/\(name)/\(name)Module.swift",
                contents: ModuleTemplate(name: name, api: base, needsCenter: false).text),
            .write(path: "\(folder)/Sources/\(name)/\(name)Service.swift", contents: service),
            .write(path: "\(folder)/Tests/\(name)Tests/\(name)Tests.swift", contents: tests),
        ]
    }

    private var service: String {
        """
        \(Layout.imports([base + "Api"] + api.api.imports))

        /// Another IMP of \(base)'s Api: an object, built once for everybody.
        \(conformance.text)

        """
    }

    private var tests: String {
        let question = api.api.question.map {
            "        let api = try center.requireApi(type: \(base)ApiProtocol.self)\n"
                + "        #expect(api.\($0.call) == \"I am \(name).\")"
        }
        return """
            \(Layout.imports(["ApiCenter", "Testing", name, base + "Api"]))

            @Suite("\(name)")
            struct \(name)Tests {
                let center = ApiCenter()

                init() {
                    \(name)Module().register(in: center)
                }

                @Test("answers in \(base)'s place")
                func answers() throws {
            \(question ?? "        _ = try center.requireApi(type: \(base)ApiProtocol.self)")
                }
            }

            """
    }
}
