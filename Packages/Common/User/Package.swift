// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "User",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "User", targets: ["User"])],
    dependencies: [
        .package(path: "../../Base/APIService"),
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Links"),
        .package(path: "../../Base/Locking"),
        .package(path: "../../Base/Pages"),
        .package(path: "../../Base/Storage"),
        .package(path: "../../Base/TestSupport"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../ErrorCode"),
        .package(path: "../TransitRequests"),
        .package(path: "../UserApi"),
    ],
    targets: [
        .target(
            name: "User",
            dependencies: [
                "ApiCenter", "APIService", "ErrorCode", "Lifecycle", "Links", "Locking", "Pages", "Storage",
                "TransitRequests", "UserApi",
            ]),
        .testTarget(
            name: "UserTests",
            dependencies: [
                .product(name: "APICache", package: "APIService"), "APIService",
                .product(name: "APIServiceTesting", package: "APIService"), "ApiCenter", "Pages", "Storage",
                "TestSupport", "User", "UserApi",
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
