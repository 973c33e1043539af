// swift-tools-version: 6.3
import PackageDescription

// The lists have explicit types, because inferring the types would take the compiler seconds, or half a minute if the
// manifest contains an error.

/// The packages that are not part of a pair, with their test targets and the products that the tests use.
let components: [Component] = [
    Component(
        "Core/ApiCenter", tests: ["ApiCenterTests", "ApiCenterMainActorTests"], uses: ["ApiCenterTesting"]),
    Component(
        "Base/APIService", tests: ["APIServiceTests"],
        uses: ["APICache", "APICoalescing", "APIEvents", "APIServiceTesting", "APITransfers", "TestSupport"]),
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
    Component("Base/Storage", tests: ["StorageTests"], uses: ["Locking", "TestSupport"]),
    Component("Base/TestSupport", tests: ["TestSupportTests"]),
    Component("Common/ErrorCode", tests: ["ErrorCodeTests"]),
    Component("Common/GateLedger", tests: []),
    Component("Common/Money", tests: ["MoneyTests"]),
    Component(
        "Common/TransitRequests", tests: ["TransitRequestsTests"],
        uses: ["APIService", "APIServiceTesting", "ErrorCode"]),
    Component("Common/WebViewActions", tests: ["WebViewActionsTests"], uses: ["Mediator", "Pages"]),
]

/// The module pairs: an IMP package at the path, and its Api package beside it. Each pair is a trait, enabled
/// by default, and has a registration in Apps/Shell/Sources/AppModules/Registrations.swift. An alternative
/// implements the Api of another pair. Its trait is disabled by default; enable it instead of the other pair's
/// trait.
let pairs: [Pair] = [
    Pair("Business/Gate"),
    Pair("Business/Home"),
    Pair("Business/Journey"),
    Pair("Business/ModuleA"),
    Pair("Business/ModuleB"),
    Pair("Business/ModuleC"),
    Pair("Business/PayType"),
    Pair("Business/PayTypeCashless", alternativeTo: "PayType"),
    Pair("Business/Ride"),
    Pair("Business/ServiceOpen"),
    Pair("Business/WebContainer"),
    Pair("Common/Logger"),
    Pair("Common/SDKManager"),
    Pair("Common/User"),
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

    init(_ path: String, alternativeTo: String? = nil, trait: String? = nil) {
        (self.path, self.alternativeTo, sharedTrait) = (path, alternativeTo, trait)
    }

    var name: String { path.lastPathComponent }
    var trait: String { sharedTrait ?? name }
    var api: String { name + "Api" }
}

extension String {
    var lastPathComponent: String { String(self[(lastIndex(of: "/").map(index(after:)) ?? startIndex)...]) }
}

/// The products of the package APIService, except `APIService` and `APIServiceTesting`.
let networkProducts = ["APICache", "APICoalescing", "APIEvents", "APITransfers"]

/// The product with the given name. Its package has the same name, except that the `networkProducts` are in APIService,
/// the fakes of a pair in its Api, and what only tests of a package's users link in that package.
func product(_ name: String, condition: TargetDependencyCondition? = nil) -> Target.Dependency {
    let suffix = ["Fakes", "Testing"].first { name.hasSuffix($0) } ?? ""
    let package = networkProducts.contains(name) ? "APIService" : String(name.dropLast(suffix.count))
    return .product(name: name, package: package, condition: condition)
}

func products(_ names: [String]) -> [Target.Dependency] { names.map { product($0) } }

let paths: [String] = components.map(\.path) + pairs.map(\.path) + owners.map { $0.path + "Api" }
let apis: [Target.Dependency] = products(owners.map(\.api))
/// The fakes of the pairs, which only tests link. No test needs a fake of the excluded Apis.
let fakes: [Target.Dependency] = products(
    owners.map(\.api).filter { !["HomeApi", "RideApi", "SDKManagerApi", "WebContainerApi"].contains($0) }
        .map { $0 + "Fakes" })
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
        dependencies: products([pair.name, "APICache", "APIServiceTesting"] + components.map(\.name)) + apis
            + fakes,
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
                "APICache", "APIService", "ApiCenter", "Digests", "Launch", "Lifecycle", "Links", "Mediator",
                "Routes",
                "Storage",
            ]) + apis + implementations,
            path: "Apps/Shell/Sources/AppModules"),
        // The sample day. It depends only on the pairs' Api packages, so it can run in any app built from
        // these modules. Demo includes servers on loopback, so a release build should link AppModules but not Demo.
        .target(
            name: "Demo",
            dependencies: products([
                "APIService", "ApiCenter", "Digests", "ErrorCode", "GateLedger", "Launch",
                "Lifecycle", "Links", "Locking", "Loopback", "Mediator", "Pages", "Routes", "Storage",
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
                    "APICache", "APIService", "APIServiceTesting", "ApiCenter", "Digests", "GateLedger",
                    "HomeApi",
                    "JourneyApi", "Launch", "Lifecycle", "Links", "Mediator", "ModuleAApi", "ModuleAApiFakes",
                    "Pages",
                    "PayTypeApi", "Routes", "SDKManagerApi", "Storage", "TestSupport", "UserApi",
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
