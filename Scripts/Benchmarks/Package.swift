// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    traits: [
        .trait(name: "Adapter", description: "Measures AsyncHTTPAPIClient, which takes minutes to build."),
        .trait(name: "Peers", description: "Measures ApiCenter against Swinject and Factory, too."),
    ],
    dependencies: [
        .package(path: "../../Packages/Adapters/AsyncHTTPAPIClient"),
        .package(path: "../../Packages/Core/ApiCenter"),
        .package(path: "../../Packages/Base/APIService"),
        .package(path: "../../Packages/Base/Mediator"),
        .package(path: "../../Packages/Base/Links"),
        .package(path: "../../Packages/Base/Providers"),
        .package(path: "../../Packages/Base/Routes"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/hmlongco/Factory", from: "3.2.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/Swinject/Swinject", from: "2.10.0"),
    ],
    targets: [
        .target(name: "CAllocated"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CAllocated", "ApiCenter", "APIService", "Links", "Mediator", "Providers", "Routes",
                .product(name: "APICache", package: "APIService"),
                .product(name: "APIServiceTesting", package: "APIService"),
                .product(name: "APITransfers", package: "APIService"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(
                    name: "AsyncHTTPAPIClient", package: "AsyncHTTPAPIClient",
                    condition: .when(traits: ["Adapter"])),
                .product(
                    name: "AsyncHTTPClient", package: "async-http-client",
                    condition: .when(traits: ["Adapter"])),
                .product(name: "FactoryKit", package: "Factory", condition: .when(traits: ["Peers"])),
                .product(name: "Swinject", package: "Swinject", condition: .when(traits: ["Peers"])),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
