// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Journey",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Journey", targets: ["Journey"])],
    dependencies: [
        .package(path: "../../Base/APIService"),
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Links"),
        .package(path: "../../Base/Locking"),
        .package(path: "../../Base/Pages"),
        .package(path: "../../Base/Storage"),
        .package(path: "../../Common/Money"),
        .package(path: "../../Common/TransitRequests"),
        .package(path: "../../Common/UserApi"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../JourneyApi"),
    ],
    targets: [
        .target(
            name: "Journey",
            dependencies: [
                "ApiCenter", "APIService", .product(name: "APITransfers", package: "APIService"),
                "JourneyApi", "Lifecycle", "Links", "Locking", "Money", "Pages", "Storage", "TransitRequests",
                "UserApi",
            ]),
        .testTarget(
            name: "JourneyTests",
            dependencies: [
                "ApiCenter", "APIService", .product(name: "APIServiceTesting", package: "APIService"),
                "Journey", "JourneyApi", "Links", "Pages", "Storage", "UserApi",
                .product(name: "UserApiFakes", package: "UserApi"),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
