// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Routes",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Routes", targets: ["Routes"])],
    dependencies: [
        .package(path: "../Links"),
        .package(path: "../Locking"),
        .package(path: "../TestSupport"),
    ],
    targets: [
        .target(name: "Routes", dependencies: ["Links", "Locking"]),
        .testTarget(
            name: "RoutesTests", dependencies: ["Links", "Routes", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
