// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Screens",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Screens", targets: ["Screens"])],
    dependencies: [
        .package(path: "../Links"),
        .package(path: "../Pages"),
        .package(path: "../Routes"),
        .package(path: "../TestSupport"),
    ],
    targets: [
        .target(name: "Screens", dependencies: ["Links", "Pages"]),
        .testTarget(
            name: "ScreensTests", dependencies: ["Links", "Pages", "Routes", "Screens", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
