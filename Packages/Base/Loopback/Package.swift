// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Loopback",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Loopback", targets: ["Loopback"])],
    dependencies: [
        .package(path: "../Locking"),
        .package(path: "../TestSupport"),
    ],
    targets: [
        .target(name: "Loopback", dependencies: ["Locking"]),
        .testTarget(name: "LoopbackTests", dependencies: ["Loopback", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
