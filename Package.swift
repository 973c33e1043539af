// swift-tools-version: 6.3
import PackageDescription

// The lists have explicit types, because inferring the types would take the compiler seconds, or half a minute if the
// manifest contains an error.

/// The packages that are not part of a pair, with their test targets and the products that the tests use.
let components: [Component] = [
    Component(
        "Core/ApiCenter", tests: ["ApiCenterTests", "ApiCenterMainActorTests"],
        uses: ["ApiCenter/ApiCenterTesting"]),
    Component(
        "Base/APIService", tests: ["APIServiceTests"],
        uses: [
            "APIService/APICache", "APIService/APICoalescing", "APIService/APIEvents",
            "APIService/APIServiceTesting", "APIService/APITransfers", "TestSupport",
        ]),
    Component("Base/Digests", tests: ["DigestsTests"], uses: ["TestSupport"]),
    Component(
        "Base/Launch", tests: ["LaunchTests"], uses: ["ApiCenter", "Lifecycle", "Links", "TestSupport"]),
    Component("Base/Lifecycle", tests: ["LifecycleTests"], uses: ["ApiCenter", "TestSupport"]),
    Component("Base/Links", tests: ["LinksTests"], uses: ["ApiCenter", "TestSupport"]),
    Component("Base/Locking", tests: ["LockingTests"], uses: ["TestSupport"]),
    Component("Base/Loopback", tests: ["LoopbackTests"], uses: ["TestSupport"]),
    Component("Base/Mediator", tests: ["MediatorTests"], uses: ["Links", "Routes", "TestSupport"]),
    Component("Base/Pages", tests: ["PagesTests"], uses: ["TestSupport"]),
    Component("Base/Providers", tests: ["ProvidersTests"], uses: ["ApiCenter", "TestSupport"]),
    Component("Base/Routes", tests: ["RoutesTests"], uses: ["Links", "TestSupport"]),
    Component("Base/Screens", tests: ["ScreensTests"], uses: ["Links", "Pages", "Routes", "TestSupport"]),
    Component("Base/Storage", tests: ["StorageTests"], uses: ["Locking", "TestSupport"]),
    Component("Base/TestSupport", tests: ["TestSupportTests"]),
    Component("Common/ErrorCode", tests: ["ErrorCodeTests"]),
    Component("Common/GateLedger", tests: []),
    Component("Common/Money", tests: ["MoneyTests"]),
    Component(
        "Common/TransitRequests", tests: ["TransitRequestsTests"],
        uses: ["APIService", "APIService/APIServiceTesting", "ErrorCode"]),
    Component("Common/WebViewActions", tests: ["WebViewActionsTests"], uses: ["Mediator", "Pages"]),
]

/// The module pairs: an IMP package at the path, and its Api package beside it. Each pair is a trait, enabled
/// by default, and has a registration in Apps/Shell/Sources/AppModules/Registrations.swift. An alternative
/// implements the Api of another pair. Its trait is disabled by default; enable it instead of the other pair's
/// trait.
let pairs: [Pair] = [
    Pair("Business/Gate", uses: ["GateLedger", "Storage", "TestSupport"]),
    Pair(
        "Business/Home",
        uses: [
            "APIService",
            "APIService/APICache",
            "APIService/APIServiceTesting",
            "ErrorCode",
            "Links",
            "Mediator",
            "Pages",
            "RideApi",
            "UserApi",
            "UserApi/UserApiFakes",
        ]),
    Pair(
        "Business/Journey",
        uses: [
            "APIService", "APIService/APIServiceTesting", "Links", "Pages", "Storage", "UserApi",
            "UserApi/UserApiFakes",
        ]),
    Pair(
        "Business/ModuleA",
        uses: [
            "Links", "ModuleBApi", "ModuleBApi/ModuleBApiFakes", "ModuleCApi", "ModuleCApi/ModuleCApiFakes",
        ]),
    Pair(
        "Business/ModuleB",
        uses: ["ModuleAApi", "ModuleAApi/ModuleAApiFakes", "ModuleCApi", "ModuleCApi/ModuleCApiFakes"]),
    Pair(
        "Business/ModuleC",
        uses: ["ModuleAApi", "ModuleAApi/ModuleAApiFakes", "ModuleBApi", "ModuleBApi/ModuleBApiFakes"]),
    Pair(
        "Business/PayType",
        uses: [
            "APIService", "APIService/APIServiceTesting", "Links", "Pages", "RideApi", "Storage",
            "TestSupport", "UserApi", "UserApi/UserApiFakes",
        ]),
    Pair(
        "Business/PayTypeCashless", alternativeTo: "PayType",
        uses: [
            "APIService", "APIService/APIServiceTesting", "Links", "Pages", "RideApi", "Storage", "UserApi",
            "UserApi/UserApiFakes",
        ]),
    Pair(
        "Business/Ride",
        uses: [
            "APIService", "APIService/APIServiceTesting", "ErrorCode", "GateApi", "GateApi/GateApiFakes",
            "JourneyApi", "JourneyApi/JourneyApiFakes", "Lifecycle", "Links", "LoggerApi",
            "LoggerApi/LoggerApiFakes", "Pages", "PayTypeApi", "PayTypeApi/PayTypeApiFakes", "ServiceOpenApi",
            "ServiceOpenApi/ServiceOpenApiFakes", "Storage", "TestSupport", "UserApi", "UserApi/UserApiFakes",
        ]),
    Pair(
        "Business/ServiceOpen",
        uses: [
            "Links",
            "LoggerApi",
            "LoggerApi/LoggerApiFakes",
            "Pages",
            "PayTypeApi",
            "PayTypeApi/PayTypeApiFakes",
            "RideApi",
            "Routes",
            "Storage",
            "TestSupport",
            "UserApi",
            "UserApi/UserApiFakes",
            "WebContainerApi",
        ]),
    Pair(
        "Business/WebContainer",
        uses: ["Lifecycle", "Links", "Mediator", "Pages", "Routes", "WebViewActions"]),
    Pair("Common/Logger", uses: ["Lifecycle", "Providers", "Storage", "TestSupport"]),
    Pair(
        "Common/SDKManager",
        uses: [
            "APIService",
            "APIService/APIServiceTesting",
            "JourneyApi",
            "LoggerApi",
            "LoggerApi/LoggerApiFakes",
            "PayTypeApi",
            "Routes",
            "UserApi",
            "UserApi/UserApiFakes",
        ]),
    Pair(
        "Common/User",
        uses: [
            "APIService",
            "APIService/APICache",
            "APIService/APIServiceTesting",
            "Pages",
            "Storage",
            "TestSupport",
        ]),
]

struct Component {
    let path: String
    let tests: [String]
    let uses: [String]

    init(_ path: String, tests: [String], uses: [String] = []) {
        (self.path, self.tests, self.uses) = (path, tests, uses)
    }

    var name: String { path.lastPathComponent }
}

/// The pairs with their own Api.
let owners: [Pair] = pairs.filter { $0.alternativeTo == nil }

struct Pair {
    let path: String
    let alternativeTo: String?
    /// The trait that the pair shares with other pairs; nil if the pair has its own trait.
    let sharedTrait: String?
    /// The products that the pair's tests use, besides the pair, its Api and ApiCenter. `Scripts/modules registrations`
    /// writes them.
    let uses: [String]

    init(_ path: String, alternativeTo: String? = nil, trait: String? = nil, uses: [String] = []) {
        (self.path, self.alternativeTo, sharedTrait) = (path, alternativeTo, trait)
        self.uses = uses
    }

    var name: String { path.lastPathComponent }
    var trait: String { sharedTrait ?? name }
    /// The Api that the pair implements.
    var api: String { (alternativeTo ?? name) + "Api" }
}

extension String {
    var lastPathComponent: String { String(self[(lastIndex(of: "/").map(index(after:)) ?? startIndex)...]) }
}

/// The product with the given name. The name of its package stands before it, unless both are equal:
/// `UserApi/UserApiFakes`.
func product(_ name: String, condition: TargetDependencyCondition? = nil) -> Target.Dependency {
    let parts = name.split(separator: "/").map(String.init)
    return .product(name: parts[parts.count - 1], package: parts[0], condition: condition)
}

func products(_ names: [String]) -> [Target.Dependency] { names.map { product($0) } }

let paths: [String] = components.map(\.path) + pairs.map(\.path) + owners.map { $0.path + "Api" }
let apis: [Target.Dependency] = products(owners.map(\.api))
let implementations: [Target.Dependency] = pairs.map {
    product($0.name, condition: .when(traits: [$0.trait]))
}
let traits: [Trait] = Set(pairs.map(\.trait)).map {
    .trait(name: $0, description: "Links \($0) into the app.")
}

// All packages' tests are targets of this package too, so that one `swift test` runs them all.
let componentTests: [Target] = components.flatMap { component in
    component.tests.map { test in
        .testTarget(
            name: test, dependencies: products([component.name] + component.uses),
            path: "Packages/\(component.path)/Tests/\(test)",
            swiftSettings: test.contains("MainActor") ? [.defaultIsolation(MainActor.self)] : [])
    }
}
let pairTests: [Target] = pairs.map { pair in
    .testTarget(
        name: pair.name + "Tests",
        dependencies: products(["ApiCenter", pair.name, pair.api] + pair.uses),
        path: "Packages/\(pair.path)/Tests/\(pair.name)Tests")
}

let package = Package(
    name: "ModularApp",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .executable(name: "Shell", targets: ["Shell"]),
        .library(name: "AppModules", targets: ["AppModules"]),
        .library(name: "Demo", targets: ["Demo"]),
    ],
    traits: Set(traits + [.default(enabledTraits: Set(owners.map(\.trait)))]),
    dependencies: paths.map { .package(path: "Packages/\($0)") },
    targets: [
        // The modules of this build and the code that launches them, for the Shell and other apps.
        .target(
            name: "AppModules",
            dependencies: products([
                "APIService", "APIService/APICache", "ApiCenter", "Digests", "Launch", "Lifecycle", "Links",
                "Mediator", "Routes", "Storage",
            ]) + apis + implementations,
            path: "Apps/Shell/Sources/AppModules"),
        // The sample day. It depends only on the pairs' Api packages, so it can run in any app built from
        // these modules. Demo includes servers on loopback, so a release build should link AppModules but not Demo.
        .target(
            name: "Demo",
            dependencies: products([
                "APIService", "ApiCenter", "Digests", "ErrorCode", "GateLedger", "Launch",
                "Lifecycle", "Links", "Locking", "Loopback", "Mediator", "Money", "Pages", "Routes",
                "Storage",
            ]) + apis,
            path: "Apps/Demo/Sources/Demo"),
        .executableTarget(
            name: "Shell",
            dependencies: ["AppModules", "Demo"]
                + products(["ApiCenter", "ErrorCode", "GateLedger", "Launch", "Links", "Pages", "Storage"]),
            path: "Apps/Shell/Sources/Shell"),
        // These tests start the Shell. It is no dependency, because SwiftPM would then compile them again after each
        // link of the Shell; `swift build` builds it anyway.
        .testTarget(
            name: "ShellTests",
            dependencies: ["AppModules", "Demo"]
                + products([
                    "APIService", "APIService/APICache", "APIService/APIServiceTesting", "ApiCenter",
                    "Digests", "GateApi", "GateLedger", "HomeApi", "JourneyApi", "Launch", "Lifecycle",
                    "Links",
                    "LoggerApi", "Mediator", "ModuleAApi", "ModuleAApi/ModuleAApiFakes", "ModuleBApi",
                    "ModuleCApi", "Pages", "PayTypeApi", "RideApi", "Routes", "Screens", "SDKManagerApi",
                    "ServiceOpenApi", "Storage", "TestSupport", "UserApi", "WebContainerApi",
                ]),
            path: "Apps/Shell/Tests/ShellTests"),
    ] + componentTests + pairTests
)

// `Scripts/modules test` builds only the tests that it runs.
if let wanted = Context.environment["MODULES_TEST_TARGETS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
