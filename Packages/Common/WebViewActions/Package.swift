// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "WebViewActions",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "WebViewActions", targets: ["WebViewActions"])],
    dependencies: [
        .package(path: "../../Base/Mediator"),
        .package(path: "../../Base/Pages"),
    ],
    targets: [
        .target(name: "WebViewActions", dependencies: ["Mediator", "Pages"]),
        .testTarget(name: "WebViewActionsTests", dependencies: ["Mediator", "Pages", "WebViewActions"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
