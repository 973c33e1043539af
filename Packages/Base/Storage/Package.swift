// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Storage",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Storage", targets: ["Storage"])],
    dependencies: [
        .package(path: "../Digests"),
        .package(path: "../Locking"),
        .package(path: "../TestSupport"),
    ],
    targets: [
        .target(name: "Storage", dependencies: ["Digests", "Locking"]),
        .testTarget(name: "StorageTests", dependencies: ["Locking", "Storage", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
