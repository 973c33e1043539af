// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Digests",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Digests", targets: ["Digests"])],
    dependencies: [.package(path: "../TestSupport")],
    targets: [
        .target(name: "Digests"),
        .testTarget(name: "DigestsTests", dependencies: ["Digests", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
