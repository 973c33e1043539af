// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Locking",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Locking", targets: ["Locking"])],
    dependencies: [.package(path: "../TestSupport")],
    targets: [
        .target(name: "Locking"),
        .testTarget(name: "LockingTests", dependencies: ["Locking", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
