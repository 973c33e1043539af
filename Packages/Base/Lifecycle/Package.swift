// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Lifecycle",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Lifecycle", targets: ["Lifecycle"])],
    dependencies: [
        .package(path: "../../Core/ApiCenter"),
        .package(path: "../TestSupport"),
    ],
    targets: [
        .target(name: "Lifecycle", dependencies: ["ApiCenter"]),
        .testTarget(
            name: "LifecycleTests", dependencies: ["ApiCenter", "Lifecycle", "TestSupport"]),
    ]
)

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}
