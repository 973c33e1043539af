import ModuleVersions

/// Generates the files of a new pair.
struct PairTemplate {
    let name: String
    /// The IMP's folder, relative to the root: `Packages/Business/Wallet`.
    let folder: String
    /// The Apis to call, with the folders of their packages relative to ``folder``.
    let calls: [(api: ApiProtocol, path: String)]

    /// The changelog, with a first note that names the methods of the Api.
    private var changelog: String {
        var changelog = Changelog()
        let methods = calls.isEmpty ? "`introduction()`" : "`introduction()` and `askOthers()`"
        changelog.release(SemanticVersion(1, 0, 0), bullets: ["First release: \(methods)."])
        return changelog.text
    }

    var changes: [Change] {
        let api = name + "Api"
        let dependencies =
            ["../../Base/Lifecycle", "../../Core/ApiCenter", "../\(api)"] + calls.map(\.path)
        return [
            .write(
                path: "\(folder)Api/Package.swift",
                contents: ManifestTemplate(name: api, dependencies: [], isTested: false).text),
            .write(path: "\(folder)Api/\(Changelog.name)", contents: changelog),
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

    private var asking: CallsTemplate { CallsTemplate(caller: name, calls: calls) }
    private var callees: [String] { asking.callees }

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
                /// Introduces the module in one line.
                func introduction() -> String\(calls.isEmpty ? "" : others)
            }

            """
    }

    private var service: String {
        let head = """
            /// The implementation of \(name)Api. One instance serves all callers.
            final class \(name)Service: \(name)ApiProtocol {
            """
        let introduction = "    func introduction() -> String { \"I am \(name).\" }"
        guard !calls.isEmpty else {
            return "import \(name)Api\n\n\(head)\n\(introduction)\n}\n"
        }
        return """
            \(Layout.imports(["ApiCenter", name + "Api"] + callees.map { $0 + "Api" }))

            \(head)
            \(CallsTemplate.center)

            \(introduction)

                func askOthers() -> [String?] {
            \(asking.body)
                }
            }

            """
    }

    private var tests: String {
        let extra = calls.flatMap(\.api.imports)
        let modules = ["ApiCenter", "Testing", name, name + "Api"] + callees.map { $0 + "Api" } + extra
        return """
            \(Layout.imports(modules))

            \(asking.fakes)@Suite("\(name)")
            struct \(name)Tests {
                let center = ApiCenter()

                init() {
                    \(name)Module().register(in: center)
                }

                @Test("introduces itself")
                func introduction() throws {
                    let api = try center.requireApi(type: \(name)ApiProtocol.self)
                    #expect(api.introduction() == "I am \(name).")
                }\(calls.isEmpty ? "" : "\n\n" + callTests)
            }

            """
    }

    private var callTests: String {
        asking.tests(asking: "try center.requireApi(type: \(name)ApiProtocol.self)")
    }
}
