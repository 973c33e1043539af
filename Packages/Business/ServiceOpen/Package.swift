// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "ServiceOpen",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "ServiceOpen", targets: ["ServiceOpen"])],
    dependencies: [
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Links"),
        .package(path: "../../Base/Pages"),
        .package(path: "../../Base/Routes"),
        .package(path: "../../Base/Storage"),
        .package(path: "../../Base/TestSupport"),
        .package(path: "../../Common/LoggerApi"),
        .package(path: "../../Common/UserApi"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../PayTypeApi"),
        .package(path: "../RideApi"),
        .package(path: "../ServiceOpenApi"),
        .package(path: "../WebContainerApi"),
    ],
    targets: [
        .target(
            name: "ServiceOpen",
            dependencies: [
                "ApiCenter", "Lifecycle", "Links", "LoggerApi", "Pages", "PayTypeApi", "RideApi",
                "Routes", "ServiceOpenApi", "Storage", "UserApi", "WebContainerApi",
            ]),
        .testTarget(
            name: "ServiceOpenTests",
            dependencies: [
                "ApiCenter", "Links", "LoggerApi", .product(name: "LoggerApiFakes", package: "LoggerApi"),
                "Pages", "PayTypeApi", .product(name: "PayTypeApiFakes", package: "PayTypeApi"), "RideApi",
                "Routes", "ServiceOpen", "ServiceOpenApi", "Storage", "TestSupport", "UserApi",
                .product(name: "UserApiFakes", package: "UserApi"), "WebContainerApi",
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
