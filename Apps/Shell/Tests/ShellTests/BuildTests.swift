import Foundation
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// The modules that call only each other.
private let names = ["ModuleA", "ModuleB", "ModuleC"]

/// The pairs in Packages/Business, each of which an app can leave out.
private let business = [
    "Gate", "Home", "Journey", "ModuleA", "ModuleB", "ModuleC", "PayType", "Ride", "ServiceOpen",
    "WebContainer",
]
private let common = ["Logger", "SDKManager", "User"]

/// The possible statuses of a process that traps: the negated number of SIGILL or SIGTRAP, or the exit code that a
/// shell reports for the signal.
private let stopped: Set<Int32> = [-4, -5, 132, 133]

extension CopyDeepTests {
    @Suite("Builds of the Shell", .serialized)
    struct BuildTests {
        /// Selections of pairs. Each pair is missing from exactly one selection. The selection without PayType and the
        /// one without Journey still contain the pairs that a ride requires.
        private static let selections = [
            ["Journey", "Home", "ModuleA"], ["PayType", "WebContainer", "ModuleB"],
            ["Gate", "ServiceOpen", "ModuleC"], ["User", "Logger"], ["Ride", "SDKManager"],
        ].map { absent in (business + common).filter { !absent.contains($0) } }

        @Test(
            "The Shell runs with some or all of its pairs left out, and reports the missing modules")
        func crops() async throws {
            let copy = try TreeCopy()
            try exchange(in: copy)
            let all = business + common
            for selection in Self.selections + [[]] {
                let run = try copy.shell(traits: selection)
                if !selection.contains("Ride") {
                    try await lookForRide(in: copy, isHomeIn: selection.contains("Home"))
                }
                #expect(run.status == 0, "\(selection)")
                // The pages of Home and ServiceOpen ask for web pages, and the reason why there are none is an error.
                let asks = selection.contains("Home") || selection.contains("ServiceOpen")
                #expect(
                    run.errors.contains("This app cannot show web pages.")
                        == (asks && !selection.contains("WebContainer")), "\(selection)")
                let output = run.output.replacing(#/ {2,}/#, with: " ")
                for name in all {
                    let isIn = selection.contains(name)
                    let line = isIn ? "\n \(name) \\d+\\.\\d+\\.\\d+ prepared in" : "\n \(name) left out"
                    #expect(output.contains(try Regex(line)), "\(selection): \(name)")
                    // The day visits the pages of these modules.
                    if ["Home", "Journey", "PayType", "Ride", "ServiceOpen", "User"].contains(name) {
                        #expect(
                            output.contains("\n Refused. \(name) is not in this app.\n") != isIn,
                            "\(selection): \(name)")
                    }
                }
                for name in names {
                    let others = names.filter { $0 != name }
                    let answers = others.map { selection.contains($0) ? "\"I am \($0).\"" : "no answer" }
                    let lines =
                        [" \(name) hears: \(answers.joined(separator: ", "))\n"]
                        + others.map { " \(name) -> \($0)Api\(selection.contains($0) ? "" : " (absent)") " }
                    for line in lines {
                        #expect(output.contains(line) == selection.contains(name), "\(selection): \(line)")
                    }
                }
                // The day continues to its last step, and the ride takes place if all required modules are present.
                #expect(output.contains("\n 15. Read the log\n"))
                let rides = Set(selection).isSuperset(of: ["Gate", "Ride", "User", "SDKManager"])
                #expect(output.contains("\n The gate at Museum opens. ") == rides, "\(selection)")
                let pays = rides && selection.contains("PayType")
                let text = output.replacing(#/\s+/#, with: " ")
                #expect(text.contains("paid with the monthly pass") == pays, "\(selection)")
                #expect(
                    text.contains("not charged: this app has no payment module.") == (rides && !pays),
                    "\(selection)")
                let keeps = rides && selection.contains("Journey")
                #expect(output.contains("\n My journeys: North Gate - Museum, ") == keeps, "\(selection)")
            }
            // The last build has no pairs.
            let absent = try copy.shell("ModuleB", traits: [])
            #expect(absent.status == 2)
            #expect(absent.errors.hasPrefix("Shell: ModuleB is left out of this build"))
            #expect(absent.errors.contains("Try: swift run --traits default,ModuleB Shell ModuleB\n"))
            for (url, module) in [("app://moduleA/describe", "ModuleA"), ("app://journeys/3", "Journey")] {
                let noRoute = try copy.shell("open \(url)", traits: [])
                #expect(noRoute.status == 1)
                #expect(noRoute.errors.contains("Try: swift run --traits default,\(module) Shell open"))
            }
        }

        /// Expects of a build without Ride that the app runs in a browser, and that the page of Ride says it is absent.
        private func lookForRide(in copy: TreeCopy, isHomeIn: Bool) async throws {
            let app = try RunningApp(copy.root.appending(path: ".build/debug/Shell").path)
            defer { app.stop() }
            let surfer = Surfer(at: app.address)
            try await surfer.open("/")
            #expect(surfer.text.contains(isHomeIn ? "Welcome to the metro." : "Home is not in this app."))
            try await surfer.follow("Ride")
            #expect(surfer.text.contains("Ride is not in this app."))
        }

        @Test("A Shell built without User explains that logging in requires User")
        func nobodyLogsIn() throws {
            let run = try TreeCopy().shell("open app://journeys/3", traits: ["Journey"])
            #expect(run.status == 1)
            #expect(
                run.errors.hasSuffix(
                    "Logging in requires User, which is not in this app. Try: swift run --traits default,User Shell\n"
                ))
        }

        /// Builds the Shell with PayTypeCashless instead of PayType, and checks that all callers work unchanged.
        private func exchange(in copy: TreeCopy) throws {
            let traits = business.filter { $0 != "PayType" } + common + ["PayTypeCashless"]
            let run = try copy.shell(traits: traits)
            #expect(run.status == 0)
            #expect(run.errors == "")
            let output = run.output.replacing(#/ {2,}/#, with: " ")
            #expect(output.contains("\n PayType left out of this build\n"))
            #expect(output.contains(#/\n PayTypeCashless \d+\.\d+\.\d+ prepared in/#))
            #expect(output.contains("\n Cashless payment: Choose the device that you hold up to the gate.\n"))
            #expect(output.contains("by phone.\n"))
            #expect(!output.contains("not in this app"))
        }

        @Test("After an edit to an IMP, a build compiles only the IMP and the app")
        func payoff() throws {
            let copy = try TreeCopy()
            let service = "Packages/Business/ModuleA/Sources/ModuleA/ModuleAService.swift"
            let module = "Packages/Business/ModuleA/Sources/ModuleA/ModuleAModule.swift"
            let api = "Packages/Business/ModuleAApi/Sources/ModuleAApi/ModuleAApiProtocol.swift"
            func compiled(_ path: String, replacing old: String, with new: String) throws -> Set<String> {
                try copy.edit(path, replacing: old, with: new)
                return try copy.compiled()
            }
            _ = try copy.compiled()
            let body = try compiled(service, replacing: "\"I am ModuleA.\"", with: "\"I am still ModuleA.\"")
            let app: Set = ["AppModules", "Shell"]
            #expect(body.isSubset(of: app.union(["ModuleA"])) && body.contains("ModuleA"))
            let inside = try compiled(
                service, replacing: "    func descriptionA",
                with: "    func twice() -> Int { 2 }\n\n    func descriptionA")
            #expect(inside.isSubset(of: app.union(["ModuleA"])) && inside.contains("ModuleA"))
            let outside = try compiled(
                module, replacing: "public init()", with: "public init(isLoud: Bool = false)")
            #expect(
                outside.isSubset(of: app.union(["ModuleA"]))
                    && outside.isSuperset(of: ["AppModules", "ModuleA"]))
            // As a control: an edit to the Api recompiles its callers.
            let protocolToo = try compiled(
                api, replacing: "descriptionA() -> String", with: "descriptionA() -> Swift.String")
            let callers: Set = ["Demo", "ModuleA", "ModuleAApi", "ModuleB", "ModuleC"]
            #expect(protocolToo.subtracting(app) == callers)
        }

        @Test("An app in another package links AppModules and launches the modules whose traits it selects")
        func otherApp() throws {
            let copy = try TreeCopy()
            let run = try copy.bash(
                """
                set -e
                mkdir -p Metro/Sources/Metro
                cat >Metro/Package.swift <<END
                // swift-tools-version: 6.3
                import PackageDescription
                let package = Package(
                    name: "Metro", platforms: [.macOS(.v15)],
                    dependencies: [.package(name: "ModularApp", path: "..", traits: ["Ride"])],
                    targets: [
                        .executableTarget(
                            name: "Metro", dependencies: [.product(name: "AppModules", package: "ModularApp")])
                    ])
                END
                cat >Metro/Sources/Metro/main.swift <<END
                import APITransport
                import AppModules
                import Launch
                import Storage
                let services = AppServices(storage: .inMemory(), client: URLSessionAPIClient())
                let app = try ModularApp(on: services)
                print(app.modules.map(\\.name), await app.launch().failureLines)
                END
                swift run --package-path Metro --scratch-path .build-metro Metro
                """)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.hasSuffix("[\"Ride\"] []\n"), "\(run.output)")
        }

        @Test("The Shell reports a misbehaving module with a clear message and exit code")
        func misbehaviour() throws {
            let copy = try TreeCopy()
            let module = "Packages/Business/ModuleB/Sources/ModuleB/ModuleBModule.swift"
            let register = "    public func register(in center: ApiCenter) {\n"

            // ModuleB throws at launch: the Shell reports it, exits with code 1, and the other modules continue.
            try copy.edit(
                module, replacing: register,
                with: """
                        struct NoDisk: Error {}
                        public func handle(_ event: LifecycleEvent, in center: ApiCenter) throws { if event == .launch { throw NoDisk() } }

                    \(register)
                    """)
            let launch = try copy.shell()
            #expect(launch.status == 1)
            #expect(launch.errors == "Shell: ModuleB failed at launch: NoDisk()\n")
            let launched = launch.output.replacing(#/ {2,}/#, with: " ")
            #expect(
                launched.contains(#/ ModuleB [\d.]+ prepared in [^,]+, not launched: NoDisk\(\)\n ModuleC/#)
            )
            #expect(launched.contains(" ModuleC hears: \"I am ModuleA.\", \"I am ModuleB.\"\n"))

            // ModuleB throws on the openURL event: the Shell reports it, exits with code 1, and still opens the
            // URL.
            try copy.edit(module, replacing: "if event == .launch {", with: "if case .openURL = event {")
            let told = try copy.shell("open app://moduleA/describe")
            #expect(told.status == 1)
            #expect(told.output == "I am ModuleA.\n")
            #expect(told.errors == "Shell: ModuleB failed at openURL(app://moduleA/describe): NoDisk()\n")

            // ModuleB requests an Api that is not yet registered: the Shell reports the Api and the place of the
            // call, and the other modules continue.
            try copy.restore(module)
            try copy.edit(
                module, replacing: register,
                with: """
                        public func register(in center: ApiCenter) throws {
                            _ = try center.requireApi(type: ModuleCApiProtocol.self)

                    """)
            try copy.edit(
                module, replacing: "import ModuleBApi\n", with: "import ModuleBApi\nimport ModuleCApi\n")
            let asked = try Tree.line(of: "requireApi", in: module, root: copy.root)
            let missing = try copy.shell()
            #expect(missing.status == 1)
            #expect(
                missing.errors.hasPrefix(
                    "Shell: ModuleB failed at register: ModuleB/ModuleBModule.swift:\(asked): no IMP of "
                        + "ModuleCApi.ModuleCApiProtocol is registered."))
            let survived = missing.output.replacing(#/ {2,}/#, with: " ")
            #expect(survived.contains(#/ ModuleB [\d.]+ not registered: ModuleB/ModuleBModule\.swift:\d+:/#))
            #expect(survived.contains(" ModuleC hears: \"I am ModuleA.\", no answer\n"))

            // ModuleB registers ModuleA's Api: the process stops and names both places.
            try copy.restore(module)
            try copy.edit(
                module, replacing: register,
                with: """
                        private struct Impostor: ModuleAApiProtocol {
                            func descriptionA() -> String { "I am not ModuleA." }
                            func askOthers() -> [String?] { [] }
                        }

                    \(register)        center.register(ModuleAApiProtocol.self) { Impostor() }

                    """)
            try copy.edit(
                module, replacing: "import ModuleBApi\n", with: "import ModuleAApi\nimport ModuleBApi\n")
            let duplicate = try copy.shell()
            #expect(stopped.contains(duplicate.status))
            let first = try Tree.line(
                of: "center.register(", in: "Packages/Business/ModuleA/Sources/ModuleA/ModuleAModule.swift")
            #expect(
                duplicate.errors.contains(
                    "ModuleAApi.ModuleAApiProtocol is registered twice: first at ModuleA/ModuleAModule.swift:\(first), "
                        + "again at ModuleB/ModuleBModule.swift:"))

            // The builders of ModuleB and ModuleC need each other: the process stops and shows the chain.
            try copy.restore(module)
            let circle = "        self.center = center\n"
            try copy.edit(
                "Packages/Business/ModuleB/Sources/ModuleB/ModuleBService.swift", replacing: circle,
                with: circle + "        _ = center.api(type: ModuleCApiProtocol.self)\n")
            try copy.edit(
                "Packages/Business/ModuleC/Sources/ModuleC/ModuleCService.swift", replacing: circle,
                with: circle + "        _ = center.api(type: ModuleBApiProtocol.self)\n")
            let chain = try copy.shell()
            #expect(stopped.contains(chain.status))
            // The modules are built at the same time, so the cycle may begin at either of them.
            let b = "ModuleBApi.ModuleBApiProtocol", c = "ModuleCApi.ModuleCApiProtocol"
            let cycles = [[b, c, b], [c, b, c]].map { "in a cycle: \($0.joined(separator: " -> "))." }
            #expect(cycles.contains { chain.errors.contains($0) }, "\(chain.errors.prefix(2000))")
        }
    }
}
#endif
