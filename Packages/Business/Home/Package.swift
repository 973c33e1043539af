// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Home",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Home", targets: ["Home"])],
    dependencies: [
        .package(path: "../../Base/APIService"),
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Links"),
        .package(path: "../../Base/Mediator"),
        .package(path: "../../Common/ErrorCode"),
        .package(path: "../../Common/TransitRequests"),
        .package(path: "../../Common/WebViewActions"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../HomeApi"),
    ],
    targets: [
        .target(
            name: "Home",
            dependencies: [
                "APIService", "ApiCenter", "HomeApi", "Lifecycle", "Links", "Mediator", "TransitRequests",
                "WebViewActions",
            ]),
        .testTarget(
            name: "HomeTests",
            dependencies: [
                "APIService", .product(name: "APICache", package: "APIService"),
                .product(name: "APIServiceTesting", package: "APIService"), "ApiCenter", "Links", "ErrorCode",
                "Home",
                "HomeApi", "Mediator",
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
