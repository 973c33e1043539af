// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "LaunchLog",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "LaunchLog", targets: ["LaunchLog"])],
    dependencies: [
        .package(path: "../../Base/Lifecycle"),
        .package(path: "../../Base/Links"),
        .package(path: "../../Base/TestSupport"),
        .package(path: "../../Core/ApiCenter"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(
            name: "LaunchLog",
            dependencies: ["Lifecycle", "Links", .product(name: "Logging", package: "swift-log")]),
        .testTarget(
            name: "LaunchLogTests",
            dependencies: [
                "ApiCenter", "LaunchLog", "Lifecycle", "Links", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
