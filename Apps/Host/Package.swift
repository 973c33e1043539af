// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Host",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "Host", targets: ["Host"])],
    dependencies: [
        .package(name: "ModularApp", path: "../.."),
        .package(path: "../../Packages/Adapters/GateRemote"),
        .package(path: "../../Packages/Adapters/GateSQLite"),
        .package(path: "../../Packages/Adapters/RemotePairs"),
        .package(path: "../../Packages/Base/APIService"),
        .package(path: "../../Packages/Base/Launch"),
        .package(path: "../../Packages/Base/Lifecycle"),
        .package(path: "../../Packages/Base/Storage"),
        .package(path: "../../Packages/Base/TestSupport"),
        .package(path: "../../Packages/Business/GateApi"),
        .package(path: "../../Packages/Common/GateLedger"),
        .package(path: "../../Packages/Core/ApiCenter"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "Host",
            dependencies: [
                "ApiCenter", "GateApi", "GateLedger", "GateRemote", "GateSQLite", "Launch", "Lifecycle",
                "RemotePairs",
                "Storage",
                .product(name: "APIService", package: "APIService"),
                .product(name: "AppModules", package: "ModularApp"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Demo", package: "ModularApp"),
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .testTarget(
            name: "HostTests",
            dependencies: [
                "ApiCenter", "GateApi", "GateLedger", "GateRemote", "GateSQLite", "Host", "RemotePairs",
                "Storage", "TestSupport",
                .product(name: "AppModules", package: "ModularApp"),
                .product(name: "GateApiFakes", package: "GateApi"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Shell", package: "ModularApp"),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
