// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Home",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Home", targets: ["Home"]),
        .library(name: "HomePreviews", targets: ["HomePreviews"]),
    ],
    dependencies: [
        .package(path: "../../Base/APIService"),
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Links"),
        .package(path: "../../Base/Mediator"),
        .package(path: "../../Base/Pages"),
        .package(path: "../../Base/Screens"),
        .package(path: "../../Common/ErrorCode"),
        .package(path: "../../Common/SDKManagerApi"),
        .package(path: "../../Common/TransitRequests"),
        .package(path: "../../Common/UserApi"),
        .package(path: "../../Common/WebViewActions"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../HomeApi"),
        .package(path: "../RideApi"),
    ],
    targets: [
        .target(
            name: "Home",
            dependencies: [
                "ApiCenter", "APIService", "HomeApi", "Lifecycle", "Links", "Mediator", "Pages",
                "RideApi", "Screens", "SDKManagerApi", "TransitRequests", "UserApi", "WebViewActions",
            ]),
        // The previews of the screen, with fakes. Their product gives Xcode a scheme; no other target may use it.
        .target(
            name: "HomePreviews",
            dependencies: [
                "ApiCenter", "Home", "HomeApi", "UserApi", .product(name: "UserApiFakes", package: "UserApi"),
            ],
            path: "Tests/HomePreviews"),
        .testTarget(
            name: "HomeTests",
            dependencies: [
                .product(name: "APICache", package: "APIService"), "ApiCenter", "APIService",
                .product(name: "APIServiceTesting", package: "APIService"), "ErrorCode", "Home", "HomeApi",
                "Links", "Mediator", "Pages", "RideApi", "UserApi",
                .product(name: "UserApiFakes", package: "UserApi"),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
