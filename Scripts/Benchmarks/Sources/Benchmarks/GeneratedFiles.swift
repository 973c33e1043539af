/// The files of a ``GeneratedTree``, as dictionaries from paths to contents.
enum GeneratedFiles {
    // MARK: Manifests

    /// - Parameter tested: The Api of an IMP with tests, which use the fakes of the Api.
    private static func manifest(
        _ name: String, packages: [String] = [], uses: [String] = [], hasFakes: Bool = false,
        tested api: String? = nil
    ) -> String {
        func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
        let test = api.map { api in
            """
                    .testTarget(
                        name: "\(name)Tests",
                        dependencies: [
                            "ApiCenter", "\(name)", "\(api)", .product(name: "\(api)Fakes", package: "\(api)"),
                        ]),

            """
        }
        let fakes = hasFakes ? "        .target(name: \"\(name)Fakes\", dependencies: [\"\(name)\"]),\n" : ""
        let product = ".library(name: \"\(name)Fakes\", targets: [\"\(name)Fakes\"])"
        return """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(
                name: "\(name)",
                platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
                products: [.library(name: "\(name)", targets: ["\(name)"])\(hasFakes ? ", " + product : "")],
                dependencies: [
            \(packages.map { "        .package(path: \"\($0)\"),\n" }.joined())    ],
                targets: [
                    .target(name: "\(name)", dependencies: [\(list(uses))]),
            \(fakes)\(test ?? "")    ]
            )

            // The shared settings, identical in every manifest.
            for target in package.targets {
                target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
            }

            """
    }

    // MARK: Shared packages

    private static let libraries = ["ApiCenter", "Lifecycle"]

    static let shared = [
        "Packages/Core/ApiCenter/Package.swift": manifest("ApiCenter"),
        "Packages/Core/ApiCenter/Sources/ApiCenter/ApiCenter.swift": """
        import Synchronization

        public final class ApiCenter: Sendable {
            private let builders = Mutex<[ObjectIdentifier: @Sendable (ApiCenter) -> Any]>([:])

            public init() {}

            public func register<T>(_ type: T.Type, builder: @escaping @Sendable (ApiCenter) -> T) {
                builders.withLock { $0[ObjectIdentifier(type)] = builder }
            }

            public func api<T>(type: T.Type) -> T? {
                builders.withLock { $0[ObjectIdentifier(type)] }?(self) as? T
            }
        }

        """,
        "Packages/Base/Lifecycle/Package.swift": manifest(
            "Lifecycle", packages: ["../../Core/ApiCenter"], uses: ["ApiCenter"]),
        "Packages/Base/Lifecycle/Sources/Lifecycle/Module.swift": """
        import ApiCenter

        public protocol Module {
            var version: String { get }
            func register(in center: ApiCenter)
        }

        @resultBuilder
        public enum ModuleList {
            public static func buildExpression(_ module: any Module) -> [any Module] { [module] }
            public static func buildBlock(_ parts: [any Module]...) -> [any Module] { parts.flatMap { $0 } }
        }

        """,
        "Apps/Shell/Sources/Shell/Shell.swift": """
        import AppModules

        @main
        enum Shell {
            static func main() { print(Registrations.modules.count) }
        }

        """,
    ]

    /// The three files that list the pairs: root manifest, release table and registrations. `modules registrations`
    /// replaces the registrations.
    ///
    /// - Parameter trait: The trait that a pair shares with others; nil if the pair has its own trait.
    static func root(_ names: [String], trait: (String) -> String?) -> [String: String] {
        func lines(_ line: (String) -> String) -> String { names.map(line).joined() }
        let pairs = lines { name in
            "    Pair(\"Business/\(name)\"\(trait(name).map { ", trait: \"\($0)\"" } ?? "")),\n"
        }
        let manifest = """
            // swift-tools-version: 6.3
            import PackageDescription

            let pairs = [
            \(pairs)]

            struct Pair {
                let path: String
                let sharedTrait: String?

                init(_ path: String, trait: String? = nil) { (self.path, sharedTrait) = (path, trait) }

                var name: String { path.split(separator: "/").last.map(String.init) ?? path }
                var trait: String { sharedTrait ?? name }
            }

            func product(_ name: String, condition: TargetDependencyCondition? = nil) -> Target.Dependency {
                .product(name: name, package: name, condition: condition)
            }

            // The compiler takes minutes for these lists if they are inside `Package(…)` without explicit types.
            let traits: Set<String> = Set(pairs.map(\\.trait))
            let packages: [Package.Dependency] = pairs.flatMap {
                [.package(path: "Packages/\\($0.path)"), .package(path: "Packages/\\($0.path)Api")]
            }
            let implementations: [Target.Dependency] = pairs.map { product($0.name, condition: .when(traits: [$0.trait])) }
            let tests: [Target] = pairs.map {
                .testTarget(
                    name: $0.name + "Tests",
                    dependencies: [
                        product("ApiCenter"), product($0.name), product($0.name + "Api"),
                        .product(name: $0.name + "ApiFakes", package: $0.name + "Api"),
                    ],
                    path: "Packages/\\($0.path)/Tests/\\($0.name)Tests")
            }

            let package = Package(
                name: "Generated",
                platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
                traits: Set(traits.map { .trait(name: $0) } + [.default(enabledTraits: traits)]),
                dependencies: [.package(path: "Packages/Core/ApiCenter"), .package(path: "Packages/Base/Lifecycle")]
                    + packages,
                targets: [
                    .target(
                        name: "AppModules", dependencies: [product("Lifecycle")] + implementations,
                        path: "Apps/Shell/Sources/AppModules"),
                    .executableTarget(
                        name: "Shell", dependencies: ["AppModules"], path: "Apps/Shell/Sources/Shell"),
                ] + tests
            )

            // The shared settings, identical in every manifest.
            for target in package.targets {
                target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
            }

            """
        let versions =
            "# Versions\n\n| Module | Api | IMP | Floor |\n|---|---|---|---|\n"
            + lines { "| \($0) | 1.0.0 | 1.0.0 | >= 1.0.0 |\n" }
            + "\n| Library | Version |\n|---|---|\n"
            + libraries.map { "| \($0) | 1.0.0 |\n" }.joined()
        let notes =
            ["Core/ApiCenter", "Base/Lifecycle"].map { "Packages/\($0)/CHANGELOG.md" }
            + names.map { "Packages/Business/\($0)Api/CHANGELOG.md" }
        return notes.reduce(into: [
            ".gitignore": ".build/\n.modules/\n", ".modules.yml": "", "Package.swift": manifest,
            "VERSIONS.md": versions,
            "Apps/Shell/Sources/AppModules/Registrations.swift": "",
        ]) { $0[$1] = "# Changelog\n\n## 1.0.0\n\n- First release.\n" }
    }

    // MARK: Pairs

    static func api(_ name: String) -> [String: String] {
        let folder = "Packages/Business/\(name)Api"
        return [
            "\(folder)/Package.swift": manifest(name + "Api", hasFakes: true),
            "\(folder)/Sources/\(name)ApiFakes/Fake\(name).swift": """
            import \(name)Api

            /// \(name) for tests of other modules.
            public struct Fake\(name): \(name)ApiProtocol {
                public init() {}

                public func list\(name)(limit: Int) -> [\(name)Value] { [\(name)Value(text: "fake")] }
            }

            """,
            "\(folder)/Sources/\(name)Api/\(name)ApiProtocol.swift": """
            /// \(name)'s interface for other modules.
            public protocol \(name)ApiProtocol: Sendable {
                /// The newest values first; a limit of 0 gives an empty list.
                func list\(name)(limit: Int) -> [\(name)Value]
            }

            /// A plain value.
            public struct \(name)Value: Sendable, Hashable {
                public let text: String

                public init(text: String) { self.text = text }
            }

            """,
        ]
    }

    static func imp(_ name: String, calling others: [String]) -> [String: String] {
        let folder = "Packages/Business/\(name)"
        let apis = ([name] + others).map { $0 + "Api" }.sorted()
        let calls = others.map {
            "        count += center.api(type: \($0)ApiProtocol.self)?.list\($0)(limit: limit).count ?? 0\n"
        }.joined()
        var files = [
            "\(folder)/Package.swift": manifest(
                name, packages: ["../../Base/Lifecycle", "../../Core/ApiCenter"] + apis.map { "../" + $0 },
                uses: ["ApiCenter", "Lifecycle"] + apis, tested: name + "Api"),
            "\(folder)/Sources/\(name)/\(name)Module.swift": """
            import ApiCenter
            import Lifecycle
            import \(name)Api

            /// Registers \(name). The package's only public declaration.
            public struct \(name)Module: Module {
                public let version = "1.0.0"

                public init() {}

                public func register(in center: ApiCenter) {
                    center.register(\(name)ApiProtocol.self) { \(name)Service(center: $0) }
                }
            }

            """,
            "\(folder)/Sources/\(name)/\(name)Service.swift": """
            import ApiCenter
            \(apis.map { "import \($0)\n" }.joined())
            struct \(name)Service: \(name)ApiProtocol {
                let center: ApiCenter

                func list\(name)(limit: Int) -> [\(name)Value] {
                    var count = 0
            \(calls)        return (0..<count).map { \(name)Value(text: "\\($0)") }
                }
            }

            """,
            "\(folder)/Tests/\(name)Tests/\(name)Tests.swift": """
            import ApiCenter
            import \(name)
            import \(name)Api
            import \(name)ApiFakes
            import Testing

            @Suite("\(name)")
            struct \(name)Tests {
                @Test("registers")
                func registers() {
                    let center = ApiCenter()
                    \(name)Module().register(in: center)
                    #expect(center.api(type: \(name)ApiProtocol.self) != nil)
                    #expect(Fake\(name)().list\(name)(limit: 1).count == 1)
                }
            }

            """,
        ]
        for number in 1...6 { files["\(folder)/Sources/\(name)/Part\(number).swift"] = part(number) }
        return files
    }

    // MARK: Direct imports

    /// The root manifest and the app of a tree whose modules import each other.
    static func directRoot(_ names: [String]) -> [String: String] {
        let list = names.map { "    \"\($0)\",\n" }.joined()
        let manifest = """
            // swift-tools-version: 6.3
            import PackageDescription

            let modules = [
            \(list)]
            let packages: [Package.Dependency] = modules.map { .package(path: "Packages/Business/\\($0)") }
            let products: [Target.Dependency] = modules.map { .product(name: $0, package: $0) }

            let package = Package(
                name: "Generated",
                platforms: [.macOS(.v15)],
                dependencies: packages,
                targets: [
                    .executableTarget(name: "Shell", dependencies: products, path: "Apps/Shell/Sources/Shell")
                ]
            )

            """
        let imports = names.map { "import \($0)\n" }.joined()
        let services = names.map { "\($0)Service.self" }.joined(separator: ", ")
        let app = """
            \(imports)
            @main
            enum Shell {
                static func main() {
                    let services: [Any.Type] = [\(services)]
                    print(services.count)
                }
            }

            """
        return ["Package.swift": manifest, "Apps/Shell/Sources/Shell/Shell.swift": app]
    }

    /// A module of a tree of direct imports: the files of an IMP, with a public service in place of the Api.
    static func direct(_ name: String, calling others: [String]) -> [String: String] {
        let folder = "Packages/Business/\(name)"
        let calls = others.map { "        count += \($0)Service().list\($0)(limit: limit).count\n" }.joined()
        var files = [
            "\(folder)/Package.swift": manifest(name, packages: others.map { "../" + $0 }, uses: others),
            "\(folder)/Sources/\(name)/\(name)Service.swift": """
            \(others.map { "import \($0)\n" }.joined())
            public struct \(name)Value: Sendable, Hashable {
                public let text: String
            }

            public struct \(name)Service: Sendable {
                public init() {}

                public func list\(name)(limit: Int) -> [\(name)Value] {
                    var count = 0
            \(calls)        return (0..<count).map { \(name)Value(text: "\\($0)") }
                }
            }

            """,
        ]
        for number in 1...6 { files["\(folder)/Sources/\(name)/Part\(number).swift"] = part(number) }
        return files
    }

    /// A source file that breaks no rule. These files give a package a realistic size.
    private static func part(_ number: Int) -> String {
        "import Foundation\n"
            + (1...4).map { index in
                """

                /// A step of the module's work.
                struct Part\(number)Step\(index) {
                    private var items: [String: Int] = [:]

                    /// Adds to the count of a name, and returns the sum of all counts.
                    mutating func add(_ name: String, count: Int) -> Int {
                        guard count > 0 else { return items[name, default: 0] }
                        // A new name counts twice.
                        items[name, default: count] += count
                        return items.values.reduce(0) { $0 + $1 }
                    }
                }

                """
            }.joined()
    }
}
