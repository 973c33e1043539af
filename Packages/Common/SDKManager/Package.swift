// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "SDKManager",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "SDKManager", targets: ["SDKManager"])],
    dependencies: [
        .package(path: "../../Base/APIService"),
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Routes"),
        .package(path: "../../Business/JourneyApi"),
        .package(path: "../../Business/PayTypeApi"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../LoggerApi"),
        .package(path: "../SDKManagerApi"),
        .package(path: "../UserApi"),
    ],
    targets: [
        .target(
            name: "SDKManager",
            dependencies: [
                "APIService", "ApiCenter", "JourneyApi", "Lifecycle", "LoggerApi", "PayTypeApi", "Routes",
                "SDKManagerApi", "UserApi",
            ]),
        .testTarget(
            name: "SDKManagerTests",
            dependencies: [
                "APIService", .product(name: "APIServiceTesting", package: "APIService"), "ApiCenter",
                "JourneyApi", "LoggerApi", .product(name: "LoggerApiFakes", package: "LoggerApi"),
                "PayTypeApi", "Routes", "SDKManager", "SDKManagerApi", "UserApi",
                .product(name: "UserApiFakes", package: "UserApi"),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
