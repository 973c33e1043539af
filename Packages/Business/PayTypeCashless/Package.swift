// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "PayTypeCashless",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "PayTypeCashless", targets: ["PayTypeCashless"])],
    dependencies: [
        .package(path: "../../Base/APIService"),
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Links"),
        .package(path: "../../Base/Pages"),
        .package(path: "../../Base/Storage"),
        .package(path: "../../Common/ErrorCode"),
        .package(path: "../../Common/Money"),
        .package(path: "../../Common/TransitRequests"),
        .package(path: "../../Common/UserApi"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../PayTypeApi"),
        .package(path: "../RideApi"),
    ],
    targets: [
        .target(
            name: "PayTypeCashless",
            dependencies: [
                "ApiCenter", "APIService", "ErrorCode", "Lifecycle", "Links", "Money", "Pages",
                "PayTypeApi", "RideApi", "Storage", "TransitRequests", "UserApi",
            ]),
        .testTarget(
            name: "PayTypeCashlessTests",
            dependencies: [
                "ApiCenter", "APIService", .product(name: "APIServiceTesting", package: "APIService"),
                "Links", "Pages", "PayTypeApi", "PayTypeCashless", "RideApi", "Storage", "UserApi",
                .product(name: "UserApiFakes", package: "UserApi"),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
