// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Ride",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Ride", targets: ["Ride"]),
        .library(name: "RidePreviews", targets: ["RidePreviews"]),
    ],
    dependencies: [
        .package(path: "../../Base/APIService"),
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Links"),
        .package(path: "../../Base/Locking"),
        .package(path: "../../Base/Pages"),
        .package(path: "../../Base/Screens"),
        .package(path: "../../Base/Storage"),
        .package(path: "../../Base/TestSupport"),
        .package(path: "../../Common/ErrorCode"),
        .package(path: "../../Common/LoggerApi"),
        .package(path: "../../Common/Money"),
        .package(path: "../../Common/TransitRequests"),
        .package(path: "../../Common/UserApi"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../GateApi"),
        .package(path: "../JourneyApi"),
        .package(path: "../PayTypeApi"),
        .package(path: "../RideApi"),
        .package(path: "../ServiceOpenApi"),
    ],
    targets: [
        .target(
            name: "Ride",
            dependencies: [
                "ApiCenter", .product(name: "APIEvents", package: "APIService"), "APIService", "ErrorCode",
                "GateApi", "JourneyApi", "Lifecycle", "Links", "Locking", "LoggerApi", "Money", "Pages",
                "PayTypeApi", "RideApi", "Screens", "ServiceOpenApi", "Storage", "TransitRequests", "UserApi",
            ]),
        // The previews of the screen, with a fake. Their product gives Xcode a scheme; no other target may use it.
        .target(
            name: "RidePreviews", dependencies: ["ApiCenter", "Ride", "RideApi"], path: "Tests/RidePreviews"),
        .testTarget(
            name: "RideTests",
            dependencies: [
                "ApiCenter", "APIService", .product(name: "APIServiceTesting", package: "APIService"),
                "ErrorCode", "GateApi", .product(name: "GateApiFakes", package: "GateApi"), "JourneyApi",
                .product(name: "JourneyApiFakes", package: "JourneyApi"), "Lifecycle", "Links", "LoggerApi",
                .product(name: "LoggerApiFakes", package: "LoggerApi"), "Pages", "PayTypeApi",
                .product(name: "PayTypeApiFakes", package: "PayTypeApi"), "Ride", "RideApi",
                "ServiceOpenApi", .product(name: "ServiceOpenApiFakes", package: "ServiceOpenApi"), "Storage",
                "TestSupport", "UserApi", .product(name: "UserApiFakes", package: "UserApi"),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
