/// A small tree that is structured like this repository and breaks no rule: ApiCenter, two base components, a plain
/// common package, a mediator facade, and the pairs Ride and Journey. Journey calls Ride.
package enum SmallTree {
    /// Writes the tree into a new temporary folder.
    package static func make() throws -> TemporaryTree { try TemporaryTree(files) }

    /// The tree with the test targets OneTests, TwoTests and ThreeTests in the root package.
    package static func withTests() throws -> TemporaryTree {
        let (tree, end) = (try make(), "path: \"Apps/Shell/Sources/Shell\"),\n")
        let names = ["One", "Two", "Three"]
        let targets = names.map { "        .testTarget(name: \"\($0)Tests\"),\n" }.joined()
        try tree.edit("Package.swift", end, end + targets)
        for name in names { try tree.write("Tests/\(name)Tests/\(name)Tests.swift", "import Testing\n") }
        return tree
    }

    /// The tree in a repository with one commit.
    package static func withOneCommit() throws -> TemporaryTree { try HouseFiles.copy(of: one.get()) }

    /// The tree in a repository whose second commit releases all versions.
    package static func committed() throws -> TemporaryTree { try HouseFiles.copy(of: released.get()) }

    private static let one = template { try $0.commit("Good") }

    private static let released = template { try $0.release() }

    /// A tree to copy. Created once per process, because copying is faster than git.
    private static func template(
        _ edit: (TemporaryTree) throws -> Void
    ) -> Result<TemporaryTree, any Error> {
        Result {
            let tree = try make()
            HouseFiles.removeAtExit([tree.root])
            try edit(tree)
            return tree
        }
    }

    /// A manifest laid out like this repository's manifests.
    package static func manifest(
        _ name: String, packages: [String] = [], uses: [String] = [], tests: [String]? = nil
    ) -> String {
        let packageLines = packages.map { "        .package(path: \"\($0)\"),\n" }.joined()
        let dependencies = uses.map { "\"\($0)\"" }.joined(separator: ", ")
        let test = tests.map { names in
            """
            \n        .testTarget(
                        name: "\(name)Tests", dependencies: [\(names.map { "\"\($0)\"" }.joined(separator: ", "))]),
            """
        }
        return """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(
                name: "\(name)",
                products: [.library(name: "\(name)", targets: ["\(name)"])],
                dependencies: [
            \(packageLines)    ],
                targets: [
                    .target(name: "\(name)", dependencies: [\(dependencies)]),\(test ?? "")
                ]
            )

            """
    }

    /// A root manifest with a trait per pair and per alternative. Only the traits of pairs are on by default.
    package static func rootManifest(_ pairs: [String], alternatives: [String] = []) -> String {
        let all = pairs + alternatives
        let packages = (pairs.flatMap { [$0, $0 + "Api"] } + alternatives).map {
            "        .package(path: \"Packages/Business/\($0)\"),\n"
        }.joined()
        let uses =
            pairs.map { "                .product(name: \"\($0)Api\", package: \"\($0)Api\"),\n" }
            + all.map {
                "                .product(name: \"\($0)\", package: \"\($0)\", condition: .when(traits: [\"\($0)\"])),\n"
            }
        return """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(
                name: "App",
                products: [.executable(name: "Shell", targets: ["Shell"])],
                traits: [
            \(all.map { "        .trait(name: \"\($0)\"),\n" }.joined())\
                    .default(enabledTraits: [\(pairs.map { "\"\($0)\"" }.joined(separator: ", "))]),
                ],
                dependencies: [
                    .package(path: "Packages/Core/ApiCenter"),
                    .package(path: "Packages/Base/Lifecycle"),
            \(packages)    ],
                targets: [
                    .executableTarget(
                        name: "Shell",
                        dependencies: [
                            .product(name: "ApiCenter", package: "ApiCenter"),
                            .product(name: "Lifecycle", package: "Lifecycle"),
            \(uses.joined())            ],
                        path: "Apps/Shell/Sources/Shell"),
                ]
            )

            """
    }

    /// The Shell's registrations of these modules, each inside its trait's `#if`.
    package static func registrations(_ modules: [String]) -> String {
        "import Lifecycle\n\n" + modules.map { "#if \($0)\nimport \($0)\n#endif\n" }.joined()
            + "\nenum Registrations {\n    static var modules: [any Module] {\n        var list: [any Module] = []\n"
            + modules.map { "        #if \($0)\n        list.append(\($0)Module())\n        #endif\n" }
            .joined()
            + "        return list\n    }\n}\n"
    }

    /// The contents of the tree's files, by path.
    package static var files: [String: String] {
        changelogs.merging([
            ".modules.yml": "# The layers and names of this repository.\n",
            "Package.swift": rootManifest(["Journey", "Ride"]),
            "VERSIONS.md": versions,
            "Apps/Shell/Sources/Shell/Registrations.swift": registrations(["Journey", "Ride"]),
            "Apps/Shell/Sources/Shell/Shell.swift": shell,
            "Packages/Core/ApiCenter/Package.swift": manifest("ApiCenter"),
            "Packages/Core/ApiCenter/Sources/ApiCenter/ApiCenter.swift": apiCenter,
            "Packages/Base/Lifecycle/Package.swift": manifest(
                "Lifecycle", packages: ["../../Core/ApiCenter"], uses: ["ApiCenter"]),
            "Packages/Base/Lifecycle/Sources/Lifecycle/Module.swift": lifecycle,
            "Packages/Base/Mediator/Package.swift": manifest("Mediator"),
            "Packages/Base/Mediator/Sources/Mediator/Mediator.swift":
                "public struct Mediator { public init() {} }\n",
            "Packages/Common/ErrorCode/Package.swift": manifest("ErrorCode"),
            "Packages/Common/ErrorCode/Sources/ErrorCode/ErrorCode.swift":
                "public enum ErrorCode: Int { case offline = 1 }\n",
            "Packages/Common/RideActions/Package.swift": manifest(
                "RideActions", packages: ["../../Base/Mediator"], uses: ["Mediator"]),
            "Packages/Common/RideActions/Sources/RideActions/RideActions.swift":
                "import Mediator\n\nextension Mediator { public func showRide() {} }\n",
            "Packages/Business/RideApi/Package.swift": manifest("RideApi"),
            "Packages/Business/RideApi/Sources/RideApi/RideApiProtocol.swift": rideApi,
            "Packages/Business/Ride/Package.swift": manifest(
                "Ride", packages: ["../../Base/Lifecycle", "../../Core/ApiCenter", "../RideApi"],
                uses: ["ApiCenter", "Lifecycle", "RideApi"], tests: ["Ride"]),
            "Packages/Business/Ride/Sources/Ride/RideModule.swift": module("Ride", version: "1.1.0"),
            "Packages/Business/Ride/Tests/RideTests/RideTests.swift":
                "import Testing\n@testable import Ride\n",
            "Packages/Business/JourneyApi/Package.swift": manifest("JourneyApi"),
            "Packages/Business/JourneyApi/Sources/JourneyApi/JourneyApiProtocol.swift":
                "public protocol JourneyApiProtocol: Sendable {\n    func journeys() -> [String]\n}\n",
            "Packages/Business/Journey/Package.swift": manifest(
                "Journey",
                packages: [
                    "../../Base/Lifecycle", "../../Common/ErrorCode", "../../Core/ApiCenter", "../JourneyApi",
                    "../RideApi",
                ], uses: ["ApiCenter", "ErrorCode", "JourneyApi", "Lifecycle", "RideApi"]),
            "Packages/Business/Journey/Sources/Journey/JourneyModule.swift": module(
                "Journey", version: "1.0.0"),
            "Packages/Business/Journey/Sources/Journey/JourneyService.swift": journeyService,
        ]) { $1 }
    }

    private static let shell = """
        import ApiCenter
        import JourneyApi
        import RideApi

        @main
        enum Shell {
            static func main() {
                let center = ApiCenter()
                for module in Registrations.modules { module.register(in: center) }
                print(center.api(type: JourneyApiProtocol.self)?.journeys() ?? [])
                print(center.api(type: RideApiProtocol.self)?.rides(limit: 1) ?? [])
            }
        }

        """

    private static let apiCenter = """
        public final class ApiCenter {
            public init() {}
            public func registerApi<T>(type: T.Type, impBuilder: @escaping () -> T) {}
            public func api<T>(type: T.Type) -> T? { nil }
            public func requireApi<T>(type: T.Type) throws -> T { try lookUp(type: type) }
            private func lookUp<T>(type: T.Type) throws -> T { throw Missing() }
            struct Missing: Error {}
        }

        """

    private static let lifecycle = """
        import ApiCenter

        public protocol Module {
            var version: String { get }
            func register(in center: ApiCenter)
        }

        """

    private static let rideApi = """
        /// What other modules may ask of Ride.
        public protocol RideApiProtocol: Sendable {
            func rides(limit: Int) -> [RideCode]
        }

        /// A code to board with.
        public struct RideCode: Sendable, Equatable {
            public let text: String
            public init(text: String) { self.text = text }
        }

        public enum RideRoute {
            public static let main = "ride_vc"
        }

        """

    private static let journeyService = """
        import ApiCenter
        import ErrorCode
        import JourneyApi
        import RideApi

        struct JourneyService: JourneyApiProtocol {
            func journeys() -> [String] {
                ApiCenter().api(type: RideApiProtocol.self)?.rides(limit: 3).map(\\.text) ?? []
            }
        }

        """

    private static func module(_ name: String, version: String) -> String {
        let service = name == "Ride" ? "RideService()" : "JourneyService()"
        let body =
            name == "Ride"
            ? "\nstruct RideService: RideApiProtocol {\n    func rides(limit: Int) -> [RideCode] { [] }\n}\n"
            : ""
        return """
            import ApiCenter
            import Lifecycle
            import \(name)Api

            public struct \(name)Module: Module {
                public let version = "\(version)"
                public init() {}
                public func register(in center: ApiCenter) {
                    center.registerApi(type: \(name)ApiProtocol.self) { \(service) }
                }
            }
            \(body)
            """
    }

    private static let versions = """
        # Versions

        | Module | Api | IMP | Floor |
        |---|---|---|---|
        | Journey | 1.0.0 | 1.0.0 | >= 1.0.0 |
        | Ride | 1.2.0 | 1.1.0 | >= 1.1.0 |

        | Library | Version |
        |---|---|
        | ApiCenter | 1.0.0 |
        | ErrorCode | 1.0.0 |
        | Lifecycle | 1.1.0 |
        | Mediator | 1.0.0 |
        | RideActions | 1.0.0 |

        """

    /// The change notes, by path.
    private static var changelogs: [String: String] {
        let first = "## 1.0.0\n\n- First release.\n"
        return [
            "Business/JourneyApi": first,
            "Business/RideApi": "## 1.2.0\n\n- A route's name.\n\n" + first,
            "Core/ApiCenter": first,
            "Common/ErrorCode": first,
            "Base/Lifecycle": "## 1.1.0\n\n- Modules have a version.\n\n" + first,
            "Base/Mediator": first,
            "Common/RideActions": first,
        ].reduce(into: [:]) { $0["Packages/\($1.key)/CHANGELOG.md"] = "# Changelog\n\n" + $1.value }
    }
}
