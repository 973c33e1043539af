// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "WebContainer",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "WebContainer", targets: ["WebContainer"])],
    dependencies: [
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Links"),
        .package(path: "../../Base/Mediator"),
        .package(path: "../../Base/Pages"),
        .package(path: "../../Base/Routes"),
        .package(path: "../../Common/WebViewActions"),
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../WebContainerApi"),
    ],
    targets: [
        .target(
            name: "WebContainer",
            dependencies: ["ApiCenter", "Lifecycle", "Links", "Pages", "WebContainerApi"]),
        .testTarget(
            name: "WebContainerTests",
            dependencies: [
                "ApiCenter", "Lifecycle", "Links", "Mediator", "Routes", "WebContainer", "Pages",
                "WebContainerApi",
                "WebViewActions",
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
