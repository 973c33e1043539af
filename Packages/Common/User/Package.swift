// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "User",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "User", targets: ["User"])],
    dependencies: [
        .package(path: "../../Base/APIService"),
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Locking"),
        .package(path: "../../Base/Storage"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../TransitRequests"),
        .package(path: "../UserApi"),
    ],
    targets: [
        .target(
            name: "User",
            dependencies: [
                "APIService", "ApiCenter", "Lifecycle", "Locking", "Storage", "TransitRequests", "UserApi",
            ]),
        .testTarget(
            name: "UserTests",
            dependencies: [
                "APIService", .product(name: "APIServiceTesting", package: "APIService"), "ApiCenter",
                "Storage", "User", "UserApi",
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
